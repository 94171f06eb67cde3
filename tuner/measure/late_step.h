/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late_step.h - a step whose numbers depend on counts: evaluate its formulas, and check what they yield.
 *
 * Failures are ERROR_INPUT at the step's place in the template, or ERROR_RESOURCES and ERROR_DOES_NOT_FIT where the
 * device sets the limit.
 */
#ifndef TUNE_MEASURE_LATE_STEP_H
#define TUNE_MEASURE_LATE_STEP_H

#include "tuner/measure/instance.h"

/* The step with its numbers in place, to be released in any case. */
bool late_step_resolve(struct validation_kernels *validation, const struct program *program,
                       const struct job_step *step, const struct instance *instance, struct job_step *now,
                       struct error *error);
void late_step_release(const struct job_step *step, struct job_step *now);

/* The value of a let; the truth of a condition. */
bool late_step_value(const struct job_step *step, const struct instance *instance, struct value *value,
                     struct error *error);
bool late_step_truth(const struct job_step *step, const struct instance *instance, bool *truth, struct error *error);

/* What a for runs over: first, first + stride, ... */
struct late_range {
    int64_t first, stride;
    uint64_t count;
};
bool late_step_range(const struct job_step *step, const struct instance *instance, struct late_range *range,
                     struct error *error);

/* Allocate its late buffer. */
bool late_step_allocate(struct validation_kernels *validation, const struct job_step *step,
                        const struct instance *instance, struct error *error);

/* Add the step's place to an error. Always false. */
bool late_step_locate(const struct job_step *step, struct error *error);

#endif
