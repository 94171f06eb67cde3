/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launching.h - queue a launch whose shape and arguments are known.
 */
#ifndef TUNE_MEASURE_LAUNCHING_H
#define TUNE_MEASURE_LAUNCHING_H

#include "tuner/measure/instance.h"

enum { MOST_ARGUMENTS = 256 };

struct launch_shape launching_shape(const struct job_step *step);

bool launching_queue(struct validation_kernels *validation, const struct program *program,
                     const struct job_step *step, const struct instance *instance, struct error *error);

#endif
