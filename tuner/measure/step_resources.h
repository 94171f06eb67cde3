/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_resources.h - would the device accept every launch of a sequence?
 */
#ifndef TUNE_MEASURE_STEP_RESOURCES_H
#define TUNE_MEASURE_STEP_RESOURCES_H

#include "tuner/measure/instance.h"

/*
 * ERROR_RESOURCES if not. `resources` is set to those of the kernel that needs the most registers, unless it already
 * has more. What launches need that is known only when they run is left out.
 */
bool steps_check_resources(struct validation_kernels *validation, const struct program *program,
                           const struct job_program *source, const struct job_steps *steps,
                           struct kernel_resources *resources, struct error *error);

#endif
