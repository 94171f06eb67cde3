/* SPDX-License-Identifier: Apache-2.0 */
/*
 * best.h - what `tune best` prints: its rows, a JSON array, as a table and as a C header; or how an answer is found.
 */
#ifndef TUNE_CLI_BEST_H
#define TUNE_CLI_BEST_H

#include "db/store.h"
#include "tuner/cli/options.h"
#include "tuner/lang/template.h"

struct json_t;

/* What `tune run` would take for the options' device and size, by which rule, and what was considered, to stdout. */
bool best_explain(const struct options *options, struct error *error);

/* The same in one line, for the device at hand; nothing where --device names another. `*known`: it is a stored
 * result, not the default. */
bool best_answer(const struct options *options, struct store *store, bool *known, struct error *error);

/* To stdout. The time of a row that "finals" decided says so. */
bool best_table(const struct json_t *rows, struct error *error);

/* #defines of the only row, to the file of -o or stdout: the sizes that the template defines, and the parameters.
 * Texts of the database can break out of neither line nor comment. An error where there are several rows. */
bool best_header(const struct options *options, const struct template *template, const struct json_t *rows,
                 struct error *error);

/* The latest dispatch (dispatch/dispatch.h) of the options' template on their device as a C header, to the file that
 * --c names. */
bool best_dispatch(const struct options *options, struct error *error);

#endif
