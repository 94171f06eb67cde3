/* SPDX-License-Identifier: Apache-2.0 */
/* tune export [TEMPLATE]: results of the database as T4; with --t1 a template and a space as T1; with --known the
 * best results for other users of tune. */
#include "tuner/cli/command.h"
#include "tuner/cli/exchange.h"

bool command_export(const struct options *options, int *status, struct error *error)
{
    (void)status;
    if (options->t1 + options->t4 + options->known > 1)
        return error_set(error, ERROR_INPUT, "--t1, --t4 and --known exclude each other: choose one");
    if (options->ladder && !options->known)
        return error_set(error, ERROR_INPUT, "--ladder needs --known");
    if (!options->t1 && options->space) {
        error_set(error, ERROR_INPUT, "--space needs --t1: results are exported whatever their space");
        return error_hint(error, "tune export --t1 TEMPLATE --space SPACE");
    }
    if (options->known)
        return export_known(options, error);
    return options->t1 ? export_t1(options, error) : export_t4(options, error);
}
