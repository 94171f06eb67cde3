/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_finals.h - who takes part in the finals of a size, at the end of a sweep over many.
 *
 * What is chosen for all sizes, and what is best at one, rests on single measurements until then, taken minutes
 * apart. So those that compete are measured again in turns (finals.h): the best few of the size, the configurations
 * of the portfolio that come near them, and the default, unless it is slower by a quarter.
 */
#ifndef TUNE_ENGINE_SET_FINALS_H
#define TUNE_ENGINE_SET_FINALS_H

#include "tuner/engine/cost_table.h"
#include "tuner/engine/finals.h"
#include "tuner/space/problem.h"

/* The finalists of a size, as indices of its problem; 0 if there is nothing to decide. `chosen` is the portfolio, as
 * places in the table. An error only when out of memory. */
bool set_finals_field(const struct cost_table *table, size_t size, const struct problem *problem,
                      const size_t *chosen, size_t chosen_count, size_t field[FINALISTS_MOST], size_t *count,
                      struct error *error);

#endif
