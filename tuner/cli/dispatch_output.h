/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dispatch_output.h - dispatches as people and programs read them: the configurations, the tree, how good they are.
 */
#ifndef TUNE_CLI_DISPATCH_OUTPUT_H
#define TUNE_CLI_DISPATCH_OUTPUT_H

#include "tuner/dispatch/dispatch.h"

/* To stdout. */
bool dispatch_output(const struct dispatch *dispatch, struct error *error);

/*
 * A C header of a template's dispatch, which needs nothing else and is valid C and C++: a function that returns the
 * number of a configuration for sizes, and the configurations, as texts of #defines and, where NAME_CONFIGURATION is
 * defined as one of the numbers, as #defines. `comment` is a line about where it comes from, `macros` names the sizes
 * that the kernel's source sees as macros: "N, R", or "". ERROR_INPUT: a configuration holds what cannot be #defines,
 * because the database is damaged; then nothing of use was written.
 */
bool dispatch_header(const struct dispatch *dispatch, const char *template_name, const char *comment,
                     const char *macros, FILE *stream, struct error *error);

#endif
