/* SPDX-License-Identifier: Apache-2.0 */
/* tune report: HTML reports of everything in the database. */
#include "tuner/cli/command.h"
#include "tuner/cli/knowledge.h"
#include "tuner/error/visible.h"

#include "reports/report.h"

#include <stdlib.h>

bool command_report(const struct options *options, int *status, struct error *error)
{
    (void)status;
    struct store *store = NULL;
    char *index = NULL;
    if (options->subject) {
        error_set(error, ERROR_INPUT, "'tune report' takes no template: it reports every device of the database");
        return error_hint(error, "tune report -o FOLDER");
    }
    bool done = knowledge_open(options->database, &store, error) &&
                report_write(store, options->output ? options->output : "report", true, &index, error);
    if (done)
        visible_printf(stdout, "%s\n", index);
    free(index);
    store_close(store);
    return done;
}
