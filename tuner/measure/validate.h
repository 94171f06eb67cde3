/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validate.h - validate what a launch left in the buffers.
 */
#ifndef TUNE_MEASURE_VALIDATE_H
#define TUNE_MEASURE_VALIDATE_H

#include "tuner/measure/evaluate.h"
#include "tuner/measure/instance.h"

/*
 * Check every guard band, input and checked output. A failure sets the evaluation's outcome and message, to which
 * `when` is appended (", at size ..."); error_ratio is raised to the largest error seen. False only if the device
 * fails. Waits for the launches before it, so their faults surface here.
 */
bool validate_run(struct validation_kernels *validation, const struct instance *instance,
                  const struct job_case *job_case, const char *when, struct evaluation *evaluation,
                  struct error *error);

#endif
