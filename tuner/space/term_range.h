/* SPDX-License-Identifier: Apache-2.0 */
/*
 * term_range.h - the range of a term from the ranges of its operands: what can be said before all variables have
 * values.
 */
#ifndef TUNE_SPACE_TERM_RANGE_H
#define TUNE_SPACE_TERM_RANGE_H

#include "tuner/space/term.h"

/* The ranges of the operands are at ranges[slots[0]], ranges[slots[1]], ... */
void term_range(const struct term *term, const struct range *ranges, const uint32_t *slots, struct range *result);

#endif
