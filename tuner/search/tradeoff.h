/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tradeoff.h - a search by several objectives at once, with the strategies that know one.
 *
 * ParEGO (J. Knowles, "ParEGO: a hybrid algorithm with on-line landscape approximation for expensive multiobjective
 * optimization problems", IEEE Transactions on Evolutionary Computation 10, 2006): the strategy minimises one value
 * of each configuration, the augmented Tchebycheff function of its costs with random weights, and the weights change
 * as results arrive, so that each part of the Pareto front gets its turn; every third turn is one objective's alone.
 * Here the weights change after every RENEWAL_LEAST results, and of many results after one in RENEWAL_SHARE: a new
 * search with the same setup, which knows all results by these weights. A strategy that fits a model is told them;
 * any other begins where it would have begun, and is answered from memory until it comes to something new.
 *
 * Costs are compared by their logarithms, since ratios of them mean the same whatever the objective, relative to the
 * extent of the front so far. The sum of the function's second term has no weights (R. E. Steuer, E. U. Choo,
 * Mathematical Programming 26, 1983): even where all the weight is on one objective, the others decide between
 * equals.
 *
 * By one objective it is a search as it is.
 */
#ifndef TUNE_SEARCH_TRADEOFF_H
#define TUNE_SEARCH_TRADEOFF_H

#include "tuner/evaluation/front.h"
#include "tuner/search/search.h"

struct tradeoff;

/* By 1 to FRONT_OBJECTIVES objectives. The setup is as search_create's, and what it points to must outlive it. */
bool tradeoff_create(const struct strategy_driver *driver, const struct strategy_setup *setup, size_t objectives,
                     struct tradeoff **result, struct error *error);
void tradeoff_free(struct tradeoff *tradeoff);

/* As search_ask and search_failure. */
enum answer tradeoff_ask(struct tradeoff *tradeoff, size_t *index);
bool tradeoff_failure(const struct tradeoff *tradeoff, struct error *error);

/* As search_tell and search_tell_nothing. `costs`, one an objective, count if the observation is valid and there are
 * several; they are positive. Then its own objective counts for nothing. */
bool tradeoff_tell(struct tradeoff *tradeoff, const struct observation *observation, const double *costs);
bool tradeoff_tell_nothing(struct tradeoff *tradeoff, size_t index);

#endif
