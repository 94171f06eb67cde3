/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steps.h - queue the steps of a sequence on the device.
 */
#ifndef TUNE_MEASURE_STEPS_H
#define TUNE_MEASURE_STEPS_H

#include "tuner/measure/instance.h"

/* Queues; only a repeat waits, for its flag. Errors are the device's, or ERROR_WORK for a step that cannot be. */
bool steps_run(struct validation_kernels *validation, const struct program *program, const struct job_steps *steps,
               const struct instance *instance, struct error *error);

/*
 * Would the device accept every launch? ERROR_RESOURCES if not. `resources` becomes that of the kernel that needs
 * most registers, unless it already holds one that needs more.
 */
bool steps_check_resources(struct validation_kernels *validation, const struct program *program,
                           const struct job_program *source, const struct job_steps *steps,
                           struct kernel_resources *resources, struct error *error);

/* Does any launch take mag(buffer)? */
bool steps_use_magnitude(const struct job_steps *steps, size_t buffer);

#endif
