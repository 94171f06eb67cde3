/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scalar.h - a value of the expression language as the bytes of an element type.
 */
#ifndef TUNE_JOB_SCALAR_H
#define TUNE_JOB_SCALAR_H

#include "tuner/lang/element.h"
#include "tuner/lang/expr.h"

/* The type that a scalar argument has when none is written: float for floats, else int. */
enum element scalar_default_type(struct value value);

/*
 * Convert; `bytes` are little-endian. Errors (at `place`): a string, a fraction for an integer type, a number out of
 * the type's range.
 */
bool scalar_convert(struct value value, enum element element, struct place place, unsigned char bytes[8],
                    struct error *error);

#endif
