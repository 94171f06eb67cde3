/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_launch.h - a launch statement as a step: grid, block, shared memory and arguments, within the device's limits.
 */
#ifndef TUNE_JOB_STEP_LAUNCH_H
#define TUNE_JOB_STEP_LAUNCH_H

#include "tuner/job/unrolling.h"

bool step_launch_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list);

#endif
