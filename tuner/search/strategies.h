/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategies.h - the strategies listed by the table in strategy.c, one file each.
 */
#ifndef TUNE_SEARCH_STRATEGIES_H
#define TUNE_SEARCH_STRATEGIES_H

#include "tuner/search/strategy.h"

extern const struct strategy_driver strategy_exhaustive;
extern const struct strategy_driver strategy_random;
extern const struct strategy_driver strategy_latin;
extern const struct strategy_driver strategy_halton;
extern const struct strategy_driver strategy_greedy;
extern const struct strategy_driver strategy_ils;
extern const struct strategy_driver strategy_tabu;
extern const struct strategy_driver strategy_annealing;
extern const struct strategy_driver strategy_genetic;
extern const struct strategy_driver strategy_evolution;
extern const struct strategy_driver strategy_swarm;
extern const struct strategy_driver strategy_surrogate;
extern const struct strategy_driver strategy_bandit;
extern const struct strategy_driver strategy_auto;

#endif
