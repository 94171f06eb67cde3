/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expectation.h - an estimate of how long a configuration takes to compile, from those compiled before.
 *
 * When no more candidates will come, the longest of those left are compiled first, so that all workers finish
 * together (R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17, 1969: at most a third
 * above the optimum). It is a main-effects model: the logarithm of the time is the sum of one effect per parameter
 * value, since unrolling multiplies work. The estimate is good enough to order by, and for nothing else.
 */
#ifndef TUNE_ENGINE_EXPECTATION_H
#define TUNE_ENGINE_EXPECTATION_H

#include "tuner/space/search_space.h"

struct expectation;

/* The space must outlive it. NULL: out of memory. */
struct expectation *expectation_create(const struct search_space *space);
void expectation_free(struct expectation *expectation);

/* Configuration `index` took `seconds` to compile; 0 or less is ignored. */
void expectation_learn(struct expectation *expectation, size_t index, double seconds);

/* Estimated seconds, to be compared with other estimates only; 0 until something was learnt. */
double expectation_of(struct expectation *expectation, size_t index);

#endif
