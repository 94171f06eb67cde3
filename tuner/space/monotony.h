/* SPDX-License-Identifier: Apache-2.0 */
/*
 * monotony.h - whether a term rises or falls with a variable. Where a requirement that fails for one value must also
 * fail for all greater or all smaller ones, those need not be tried.
 */
#ifndef TUNE_SPACE_MONOTONY_H
#define TUNE_SPACE_MONOTONY_H

#include "tuner/space/term.h"

enum monotony { MONOTONY_CONSTANT, MONOTONY_RISING, MONOTONY_FALLING, MONOTONY_UNKNOWN };

/*
 * For each term: as `variable` grows, with the other variables fixed at any values, does the term never fall
 * (RISING), never rise (FALLING), stay the same, or none of these for certain? True is greater than false. An answer
 * is valid only if the term's range says that evaluation cannot fail. `result` has terms->count elements.
 */
void monotony_find(const struct terms *terms, size_t variable, uint8_t *result);

/* The monotony of a - b. */
uint8_t monotony_of_difference(uint8_t of_a, uint8_t of_b);

#endif
