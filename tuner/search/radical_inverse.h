/* SPDX-License-Identifier: Apache-2.0 */
/*
 * radical_inverse.h - a coordinate of the scrambled Halton sequence (A. B. Owen, "A randomized Halton algorithm in
 * R", 2017): points that are evenly spread after any number of them, a prime base for each dimension.
 */
#ifndef TUNE_SEARCH_RADICAL_INVERSE_H
#define TUNE_SEARCH_RADICAL_INVERSE_H

#include <stdint.h>

/* The least prime above `base`. */
uint64_t prime_above(uint64_t base);

/* The radical inverse of a point's number, 0 .. 1, each digit shifted modulo the base by a random amount that depends
 * on the seed, the base and the digit's position. */
double radical_inverse(uint64_t number, uint64_t base, uint64_t seed);

#endif
