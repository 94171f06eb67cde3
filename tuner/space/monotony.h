/* SPDX-License-Identifier: Apache-2.0 */
/*
 * monotony.h - how a term moves with a variable: where a requirement that failed for one value fails for all greater
 * or all smaller ones too, these need not be tried.
 */
#ifndef TUNE_SPACE_MONOTONY_H
#define TUNE_SPACE_MONOTONY_H

#include "tuner/space/term.h"

enum monotony { MONOTONY_CONSTANT, MONOTONY_RISING, MONOTONY_FALLING, MONOTONY_UNKNOWN };

/*
 * For each term, whatever values the other variables have: does it never fall, never rise, or neither while the
 * number that `variable` stands for grows? True is greater than false. It holds only of terms whose range says that
 * they cannot fail. `result` has terms->count elements.
 */
void monotony_find(const struct terms *terms, size_t variable, uint8_t *result);

/* Of a - b. */
uint8_t monotony_of_difference(uint8_t of_a, uint8_t of_b);

#endif
