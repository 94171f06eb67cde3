/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filling.h - a recipe for a buffer's values, from which validation.cu computes any number on its own, whatever its
 * type.
 */
#ifndef TUNE_MEASURE_FILLING_H
#define TUNE_MEASURE_FILLING_H

#include "tuner/job/job.h"

struct filling {
    enum initial_kind kind; /* INITIAL_NONE: poison */
    uint64_t key;           /* of the random stream */
    double low, high;       /* uniform: [low, high); constant: low */
    bool other;             /* poison: the other one */
    bool has_bits;          /* constant: these, whatever the type, instead of low */
    uint64_t bits;
};

/* What a filling is for numbers of one type. */
struct filling_bits {
    uint64_t first;   /* uniform integers: the smallest; constant: the bits; poison: which of the two, 0 or 1 */
    uint64_t choices; /* uniform integers: how many; 0: 2^64 */
};
struct filling_bits filling_bits(const struct filling *filling, enum element element);

/* What no kernel should read: NaN where there is one. The other poison is a large number of either sign. */
struct filling filling_poison(void);
struct filling filling_other_poison(void);
struct filling filling_of_bits(uint64_t bits);

/* Are these the bits of either poison of an integer type? Those of small types are ordinary numbers as well. */
bool filling_is_poison(enum element element, uint64_t bits);

/* The initial values of buffer `index` of a case. ERROR_INPUT: its range is empty or does not fit its type. */
bool filling_of_buffer(const struct job_buffer *buffer, size_t index, uint64_t seed, struct filling *filling,
                       struct error *error);

#endif
