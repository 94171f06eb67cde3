/* SPDX-License-Identifier: Apache-2.0 */
/* tune import of known results: the best of somebody else's sweeps go into the database. */
#include "tuner/cli/exchange.h"

#include "db/store.h"
#include "tuner/error/visible.h"

#include <stdlib.h>
#include <string.h>

enum { TOLD_MOST = 10 };

static void tell(const struct error *why, void *context)
{
    size_t *told = context;
    if (++*told <= TOLD_MOST)
        error_print(why, stderr);
}

bool import_known(const struct options *options, const struct file_text *text, int *status, struct error *error)
{
    struct store *store = NULL;
    struct store_known_counts counts = {0};
    size_t told = 0;
    char *database = store_default_path(options->database);
    if (!database)
        return error_out_of_memory(error);
    bool done = store_open(database, false, &store, error) &&
                store_known_import(store, options->subject, text->bytes, text->length, tell, &told, &counts, error);
    store_close(store);
    free(database);
    if (!done)
        return false;
    if (told > TOLD_MOST)
        visible_printf(stderr, "tune: %s: %zu more entries are refused\n", options->subject, told - TOLD_MOST);
    visible_write(stdout, counts.template_name, strlen(counts.template_name), VISIBLE_ONE_LINE);
    visible_printf(stdout, " on ");
    visible_write(stdout, counts.device_name, strlen(counts.device_name), VISIBLE_ONE_LINE);
    visible_printf(stdout, ": %zu known result%s", counts.taken, counts.taken == 1 ? "" : "s");
    if (counts.trees > 0)
        visible_printf(stdout, ", %zu dispatch tree%s", counts.trees, counts.trees == 1 ? "" : "s");
    if (counts.refused > 0)
        visible_printf(stdout, ", %zu refused", counts.refused);
    visible_printf(stdout, "\n");
    *status = counts.refused > 0 ? 2 : 0;
    return true;
}
