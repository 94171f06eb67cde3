/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choice.h - a strategy as the user names it: "genetic", or "genetic:population=20,mutation=0.1".
 */
#ifndef TUNE_SEARCH_CHOICE_H
#define TUNE_SEARCH_CHOICE_H

#include "tuner/search/strategy.h"

/* The driver, and the values of its parameters, presets where the text names none (allocated, the caller frees).
 * Errors: an unknown strategy or parameter, a value out of its range; each with a hint. */
bool strategy_choose(const char *text, const struct strategy_driver **driver, double **parameters,
                     struct error *error);

#endif
