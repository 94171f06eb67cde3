/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_range.h - the elements that a check compares, where the reference has found out which they are.
 */
#ifndef TUNE_MEASURE_CHECK_RANGE_H
#define TUNE_MEASURE_CHECK_RANGE_H

#include "tuner/measure/instance.h"

struct check_range {
    uint64_t first, count;
};

/* Of a check of the instance, whose reference has run and left values that are in order. */
struct check_range check_range(const struct instance *instance, const struct job_check *check);

/* Keep the values that the reference has left, which decide the ranges. ERROR_INPUT, at the place of the check: one
 * of them is outside its buffer. */
bool check_ranges_keep(const struct instance *instance, const struct job_case *job_case, struct error *error);

#endif
