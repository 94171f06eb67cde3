/* SPDX-License-Identifier: Apache-2.0 */
/*
 * number.h - a double as the bits of an element type, and back.
 *
 * Conversions to floating-point types round to nearest, ties to even, in one step: no double is rounded to a float on
 * its way to a half. What is too large becomes infinite; NaN stays NaN. validation.cu does the same on the device.
 */
#ifndef TUNE_LANG_NUMBER_H
#define TUNE_LANG_NUMBER_H

#include "tuner/lang/element.h"

#include <stdint.h>

/* Integer types take a whole number, truncated to their width; it must fit in 64 bits. */
uint64_t number_to_bits(enum element element, double value);

/* Integers beyond 2^53 become the nearest double. Bits above the type's width are ignored. */
double number_of_bits(enum element element, uint64_t bits);

#endif
