/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sample.h - which configurations to check when it need not be all.
 */
#ifndef TUNE_CHECK_SAMPLE_H
#define TUNE_CHECK_SAMPLE_H

#include "tuner/space/problem.h"

#include <stdint.h>

enum { SAMPLE_USUAL = 16 };

/*
 * A few that stand for all: each combination of the parameters that are words (the variants), and in each the
 * smallest and the largest value of every parameter that is a number, so far as SAMPLE_USUAL configurations can hold
 * them. With `wanted` greater than 0 just as many: the same first, then some at random. `*list` is allocated.
 */
bool sample_choose(const struct problem *problem, size_t wanted, uint64_t seed, size_t **list, size_t *count,
                   struct error *error);

#endif
