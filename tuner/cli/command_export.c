/* SPDX-License-Identifier: Apache-2.0 */
/* tune export [TEMPLATE]: results of the database as T4; with --t1 a template and a space as T1. */
#include "tuner/cli/command.h"
#include "tuner/cli/exchange.h"

bool command_export(const struct options *options, int *status, struct error *error)
{
    (void)status;
    if (options->t1 && options->t4)
        return error_set(error, ERROR_INPUT, "--t1 and --t4 exclude each other: choose one");
    if (!options->t1 && options->space) {
        error_set(error, ERROR_INPUT, "--space needs --t1: results are exported whatever their space");
        return error_hint(error, "tune export --t1 TEMPLATE --space SPACE");
    }
    return options->t1 ? export_t1(options, error) : export_t4(options, error);
}
