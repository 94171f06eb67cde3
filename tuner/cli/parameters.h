/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parameters.h - configurations as people read them: "VARIANT=joint TILE_M=64".
 *
 * A configuration is a JSON object. What many of them share is said once, and left out of each.
 */
#ifndef TUNE_CLI_PARAMETERS_H
#define TUNE_CLI_PARAMETERS_H

#include "tuner/cli/terminal.h"
#include "tuner/error/error.h"

struct json_t;
struct problem;

/* The parameters that every one of these configurations has with the same value; new reference, NULL when out of
 * memory. A configuration alone shares nothing: {}. */
struct json_t *parameters_shared(struct json_t *const *configurations, size_t count);

/* The parameters that have one value in the whole space, with true in place of it; new reference, NULL when out of
 * memory. */
struct json_t *parameters_fixed(const struct problem *problem);

/* The configuration without the names in `left_out` (NULL: all of it); allocated, NULL when out of memory. */
char *parameters_text(struct json_t *configuration, const struct json_t *left_out);

/* The same of a configuration's JSON text; what is not JSON is shown as it is. */
char *parameters_text_of(const char *json, const struct json_t *left_out);

/* The line above a table, "all rows: A=1 B=2"; nothing where nothing is shared. */
bool parameters_print_shared(struct json_t *shared, const struct terminal *out, struct error *error);

#endif
