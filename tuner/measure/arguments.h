/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arguments.h - do the launches pass what the kernels take?
 *
 * Arguments are handed over bit for bit, so an int for a `long long n`, or a float for a `double a`, would be
 * garbage, or right by luck. Their number, sizes and, as far as the image tells, types are compared with the kernel's
 * own signature, before anything is launched:
 *
 *     - integers match integers of the same size, signed or not; bool and enumerations are integers
 *     - float matches float, double matches double
 *     - a buffer matches a pointer to its element type. Nothing is said of a pointer to void, to a class or vector
 *       type, or to bytes, nor of a buffer of bytes; and an unsigned integer may stand for a float of its size
 *     - a null pointer is long(0) or ulong(0)
 *     - of anything else, a class say, only the size counts
 */
#ifndef TUNE_MEASURE_ARGUMENTS_H
#define TUNE_MEASURE_ARGUMENTS_H

#include "tuner/measure/program.h"

/* ERROR_INPUT, with the argument's place in the template: a launch of the sequence passes something else. */
bool arguments_check(const struct device_driver *driver, const struct program *program,
                     const struct job_program *source, const struct job_case *job_case, const struct job_steps *steps,
                     struct error *error);

#endif
