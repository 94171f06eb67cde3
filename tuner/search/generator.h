/* SPDX-License-Identifier: Apache-2.0 */
/*
 * generator.h - the source of random numbers of all strategies: SplitMix64.
 *
 * G. L. Steele, D. Lea, C. H. Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014. The same seed
 * gives the same numbers on every machine.
 */
#ifndef TUNE_SEARCH_GENERATOR_H
#define TUNE_SEARCH_GENERATOR_H

#include <stdint.h>

struct generator {
    uint64_t state; /* the seed, to begin with */
};

uint64_t generator_next(struct generator *generator);

/* A number from 0 to bound - 1, each as likely as the others; `bound` is at least 1. */
uint64_t generator_below(struct generator *generator, uint64_t bound);

/* A number from 0 to less than 1. */
double generator_real(struct generator *generator);

#endif
