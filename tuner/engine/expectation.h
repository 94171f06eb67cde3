/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expectation.h - how long a configuration will take to compile, from those that were compiled before.
 *
 * When no more candidates come, the longest of those left are compiled first, so that the workers end together
 * (R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17, 1969: at most a third above
 * the optimum). The model is one of main effects: the logarithm of the time is the sum of an effect for each
 * parameter's value; unrolled work multiplies, so logarithms add. It is good enough to order by and promises nothing
 * else.
 */
#ifndef TUNE_ENGINE_EXPECTATION_H
#define TUNE_ENGINE_EXPECTATION_H

#include "tuner/space/search_space.h"

struct expectation;

/* The space must outlive it. NULL when out of memory. */
struct expectation *expectation_create(const struct search_space *space);
void expectation_free(struct expectation *expectation);

/* Configuration `index` took so many seconds to compile; 0 or less is ignored. */
void expectation_learn(struct expectation *expectation, size_t index, double seconds);

/* Seconds, in no sharper sense than "longer than that one"; 0 as long as nothing was learnt. */
double expectation_of(struct expectation *expectation, size_t index);

#endif
