/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filling.h - a recipe for a buffer's values, from which validation.cu computes any element on its own.
 */
#ifndef TUNE_MEASURE_FILLING_H
#define TUNE_MEASURE_FILLING_H

#include "tuner/job/job.h"

struct filling {
    enum element element;
    enum initial_kind kind; /* INITIAL_NONE: poison */
    uint64_t key;           /* of the random stream */
    double low, high;       /* uniform reals: [low, high) */
    uint64_t first;         /* uniform integers: the smallest; constant: the bits; poison: which of the two, 0 or 1 */
    uint64_t choices;       /* uniform integers: how many; 0: 2^64 */
};

/* What no kernel should read: NaN where there is one. The other poison is a large number of either sign. */
struct filling filling_poison(enum element element);
struct filling filling_other_poison(enum element element);
struct filling filling_bits(enum element element, uint64_t bits);

/* The initial values of buffer `index` of a case. ERROR_INPUT: its range is empty or does not fit its type. */
bool filling_of_buffer(const struct job_buffer *buffer, size_t index, uint64_t seed, struct filling *filling,
                       struct error *error);

#endif
