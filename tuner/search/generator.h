/* SPDX-License-Identifier: Apache-2.0 */
/*
 * generator.h - the random numbers of all strategies: SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014). The same seed gives the same numbers on every machine.
 */
#ifndef TUNE_SEARCH_GENERATOR_H
#define TUNE_SEARCH_GENERATOR_H

#include <stdint.h>

struct generator {
    uint64_t state; /* initially the seed */
};

uint64_t generator_next(struct generator *generator);

/* Uniform in 0 .. bound - 1; `bound` is at least 1. */
uint64_t generator_below(struct generator *generator, uint64_t bound);

/* Uniform in [0, 1). */
double generator_real(struct generator *generator);

#endif
