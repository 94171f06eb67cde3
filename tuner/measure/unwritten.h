/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unwritten.h - would a check against a bound alone, `check y below 100`, find that an element was never written?
 *
 * Other checks have the expected values for that: they differ from poison. Here poison itself must exceed the bound.
 * That of floating-point types does, as it is NaN; that of integers is a number like others, and of the short types
 * a small one. It need be found with one of the two poisons, as each configuration is validated with both.
 */
#ifndef TUNE_MEASURE_UNWRITTEN_H
#define TUNE_MEASURE_UNWRITTEN_H

#include "tuner/measure/instance.h"

/* ERROR_INPUT, at the place of the check: it would not. What is in outputs is lost. */
bool unwritten_check(struct validation_kernels *validation, const struct job_case *job_case,
                     const struct instance *instance, struct error *error);

#endif
