/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numbers.h - the numbers of data files: NumPy's types as element types, and arrays of them as doubles.
 */
#ifndef TUNE_DATA_NUMBERS_H
#define TUNE_DATA_NUMBERS_H

#include "tuner/lang/element.h"

/* The element type of NumPy's kind and size: 'f' (2, 4 or 8 bytes), 'i', 'u' (1 to 8), 'b' (1; a uchar). False: it is
 * no number, or none that kernels have. */
bool numpy_element(char kind, unsigned bytes, enum element *element);

/* What NumPy calls a type: "float32", "bool", "complex64", "object". */
void numpy_name(char kind, unsigned bytes, char name[32]);
void numpy_element_name(enum element element, char name[32]);

/* Convert `count` little-endian numbers. Integers beyond 2^53 are rounded to the nearest; every NaN becomes the same
 * quiet one, which no element that was never written holds. */
void numbers_to_double(enum element element, const void *from, size_t count, double *to);

#endif
