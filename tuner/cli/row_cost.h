/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_cost.h - what a stored row is worth by an objective.
 */
#ifndef TUNE_CLI_ROW_COST_H
#define TUNE_CLI_ROW_COST_H

#include "db/store.h"
#include "tuner/evaluation/objective.h"

/* The cost, by the values that the row keeps; HUGE_VAL: it has none. */
double row_cost(const struct objective *objective, const struct store_row *row);

#endif
