/* SPDX-License-Identifier: Apache-2.0 */
/* tune merge A.db B.db -o C.db: whole databases joined in a new one. */
#include "tuner/cli/command.h"
#include "tuner/cli/interrupt.h"

#include "db/store.h"
#include "tuner/error/visible.h"

#include <inttypes.h>
#include <stdlib.h>

static void print_rows(const struct store_merge_rows *rows, const char *what)
{
    visible_printf(stdout, "%" PRId64 " %s%s", rows->rows, what, rows->rows == 1 ? "" : "s");
    if (rows->added != rows->rows)
        visible_printf(stdout, ", %" PRId64 " of them new", rows->added);
}

static void print_counts(const struct options *options, const struct store_merge_count *counts)
{
    struct store_merge_count all = {0};
    for (size_t i = 0; i < options->databases.count; i++) {
        visible_printf(stdout, "%s: ", options->databases.items[i]);
        print_rows(&counts[i].evaluations, "evaluation");
        visible_printf(stdout, "; ");
        print_rows(&counts[i].runs, "run");
        visible_printf(stdout, "\n");
        all.evaluations.rows = all.evaluations.added += counts[i].evaluations.added;
        all.runs.rows = all.runs.added += counts[i].runs.added;
    }
    visible_printf(stdout, "%s has ", options->output);
    print_rows(&all.evaluations, "evaluation");
    visible_printf(stdout, " of ");
    print_rows(&all.runs, "run");
    visible_printf(stdout, "\n");
}

bool command_merge(const struct options *options, int *status, struct error *error)
{
    size_t count = options->databases.count;
    if (count == 0 || !options->output) {
        error_set(error, ERROR_INPUT, count ? "which file is to have the rows?" : "which databases?");
        return error_hint(error, "tune merge A.db B.db -o C.db");
    }
    struct store_merge_count *counts = calloc(count, sizeof *counts);
    if (!counts)
        return error_out_of_memory(error);
    const volatile sig_atomic_t *interrupted = interrupts_catch();
    bool done = store_merge(options->databases.items, count, options->output, interrupted, counts, error);
    bool stopped = !done && *interrupted;
    if (done)
        print_counts(options, counts);
    if (stopped) {
        visible_printf(stderr, "tune: interrupted; %s was not made\n", options->output);
        *status = STATUS_INTERRUPTED;
    }
    free(counts);
    return done || stopped;
}
