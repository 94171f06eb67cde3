/* SPDX-License-Identifier: Apache-2.0 */
/*
 * population.h - the best of what was tried, in order, for strategies that make new configurations out of good ones.
 *
 * It is in a steady state: who is better than the worst takes the worst's place as soon as that is known, so that no
 * generation has to be waited for. Failures are never members.
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
    struct member *members; /* the best first */
    size_t count, size;
};

/* False when out of memory. */
bool population_create(struct population *population, size_t size);
void population_clear(struct population *population);

/* False if it is worse than all members of a full population, or failed. */
bool population_join(struct population *population, size_t index, double objective);

/* A member by rank, the better ones likelier: rank floor(count * u^pressure), u uniform; pressure 1 favours none.
 * There is at least one member. */
const struct member *population_choose(const struct population *population, struct generator *generator,
                                       double pressure);

#endif
