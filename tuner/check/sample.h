/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sample.h - choose which configurations to check when not all of them are.
 */
#ifndef TUNE_CHECK_SAMPLE_H
#define TUNE_CHECK_SAMPLE_H

#include "tuner/space/problem.h"

#include <stdint.h>

enum { SAMPLE_USUAL = 16 };

/*
 * Choose a representative set: every combination of the string parameters (the variants) and, within each, the
 * smallest and largest value of every numeric parameter, as far as SAMPLE_USUAL configurations can cover them. With
 * `wanted` > 0 choose exactly that many: the same ones first, then random ones. `*list` is allocated.
 */
bool sample_choose(const struct problem *problem, size_t wanted, uint64_t seed, size_t **list, size_t *count,
                   struct error *error);

#endif
