/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar.h - values of the expression language as bytes of an element type.
 */
#ifndef TUNE_JOB_SCALAR_H
#define TUNE_JOB_SCALAR_H

#include "tuner/lang/element.h"
#include "tuner/lang/expr.h"

/* The type of a scalar argument without one: float for floats, otherwise int. */
enum element scalar_default_type(struct value value);

/*
 * Convert to little-endian `bytes`, padded with zeros. Errors, at `place`: a string, a fraction for an integer type,
 * a number out of the type's range.
 */
bool scalar_convert(struct value value, enum element element, struct place place, unsigned char bytes[8],
                    struct error *error);

#endif
