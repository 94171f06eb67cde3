/* SPDX-License-Identifier: Apache-2.0 */
/*
 * steps.h - queue the steps of a sequence on the device.
 */
#ifndef TUNE_MEASURE_STEPS_H
#define TUNE_MEASURE_STEPS_H

#include "tuner/measure/instance.h"

/* Only a repeat waits, for its flag. Fails with the device's errors, or with ERROR_WORK for an impossible step. */
bool steps_run(struct validation_kernels *validation, const struct program *program, const struct job_steps *steps,
               const struct instance *instance, struct error *error);

/*
 * The three parts of it: make and fill textures and surfaces, which is queued ahead of what is timed; queue the steps
 * themselves; copy surfaces back.
 */
bool steps_begin(struct validation_kernels *validation, const struct job_steps *steps,
                 const struct instance *instance, struct error *error);
bool steps_queue(struct validation_kernels *validation, const struct program *program, const struct job_steps *steps,
                 const struct instance *instance, struct error *error);
bool steps_end(struct validation_kernels *validation, const struct job_steps *steps, const struct instance *instance,
               struct error *error);

/*
 * Would the device accept every launch? ERROR_RESOURCES if not. `resources` is set to those of the kernel that needs
 * the most registers, unless it already has more.
 */
bool steps_check_resources(struct validation_kernels *validation, const struct program *program,
                           const struct job_program *source, const struct job_steps *steps,
                           struct kernel_resources *resources, struct error *error);

/* Does any step refer to the buffer? */
bool steps_use_buffer(const struct job_steps *steps, size_t buffer);

/* Does any launch have mag(buffer) as an argument? */
bool steps_use_magnitude(const struct job_steps *steps, size_t buffer);

#endif
