/* SPDX-License-Identifier: Apache-2.0 */
/*
 * population.h - the best configurations so far, sorted, for strategies that recombine good ones.
 *
 * Steady state: a configuration better than the worst member replaces it as soon as its result is in, so there are no
 * generations to wait for. Failures never join.
 */
#ifndef TUNE_SEARCH_POPULATION_H
#define TUNE_SEARCH_POPULATION_H

#include "tuner/search/generator.h"

#include <stdbool.h>
#include <stddef.h>

struct member {
    size_t index;
    double objective;
};

struct population {
    struct member *members; /* best first */
    size_t count, size;
};

/* False when out of memory. */
bool population_create(struct population *population, size_t size);
void population_clear(struct population *population);

/* False if the configuration failed, or a full population has no worse member. */
bool population_join(struct population *population, size_t index, double objective);

/* Rank selection: the member of rank floor(count * u^pressure) for a uniform u, so that pressure 1 prefers none. The
 * population must not be empty. */
const struct member *population_choose(const struct population *population, struct generator *generator,
                                       double pressure);

#endif
