/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validate.h - is what a launch left on the device right?
 */
#ifndef TUNE_MEASURE_VALIDATE_H
#define TUNE_MEASURE_VALIDATE_H

#include "tuner/measure/evaluate.h"
#include "tuner/measure/instance.h"

/*
 * Look at every guard band, input and checked output. What is wrong goes into the evaluation: its outcome and its
 * message, to which `when` is added (" at size ..."); error_ratio is raised to the largest error seen. False only if
 * the device fails. Waits for the launches before it, so that their faults come up here.
 */
bool validate_run(struct validation_kernels *validation, const struct instance *instance,
                  const struct job_case *job_case, const char *when, struct evaluation *evaluation,
                  struct error *error);

#endif
