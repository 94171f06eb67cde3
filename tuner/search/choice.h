/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choice.h - a strategy as written on the command line: "genetic", "genetic:population=20,mutation=0.1", or
 * "exec:./mine.py", a program.
 */
#ifndef TUNE_SEARCH_CHOICE_H
#define TUNE_SEARCH_CHOICE_H

#include "tuner/search/strategy.h"

/* What an exec strategy runs, as written, "" if nothing is; NULL: it is none. */
const char *strategy_program(const char *text);

/* The driver, and its parameters' values (allocated; the caller frees), the preset for each that the text leaves out.
 * Errors: an unknown strategy or parameter, with a hint; a value out of range. */
bool strategy_choose(const char *text, const struct strategy_driver **driver, double **parameters,
                     struct error *error);

#endif
