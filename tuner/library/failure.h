/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failure.h - how functions of the library fail: the one place where errors of the house become a struct tune_error.
 *
 * Each of these fills in `error`, which may be NULL, and returns the code that it has filled in, never TUNE_OK:
 *
 *     if (!problem_make(&request, &problem, &own))
 *         return failure_of(&own, error);
 */
#ifndef TUNE_LIBRARY_FAILURE_H
#define TUNE_LIBRARY_FAILURE_H

#include "tuner/error/error.h"
#include "tuner/library/tune.h"

/* With the code that corresponds to that of `own`. */
enum tune_code failure_of(const struct error *own, struct tune_error *error) __attribute__((cold));

/* With another code, where the caller knows better; but memory that ran out stays that. */
enum tune_code failure_as(enum tune_code code, const struct error *own, struct tune_error *error)
    __attribute__((cold));

/* Wrong use of a function: TUNE_ERROR_ARGUMENT. */
enum tune_code failure_argument(struct tune_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

enum tune_code failure_out_of_memory(struct tune_error *error);

#endif
