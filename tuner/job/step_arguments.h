/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_arguments.h - the arguments of a launch: buffers, numbers, vectors and structs, textures.
 */
#ifndef TUNE_JOB_STEP_ARGUMENTS_H
#define TUNE_JOB_STEP_ARGUMENTS_H

#include "tuner/job/unrolling.h"

bool step_arguments_lower(const struct unrolling *unrolling, const struct statement *statement,
                          struct job_step *step);

#endif
