/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_host.h - launches that the host's cores run.
 */
#ifndef TUNE_JOB_STEP_HOST_H
#define TUNE_JOB_STEP_HOST_H

#include "tuner/job/unrolling.h"

/*
 * Check a launch on the host, if the statement is one: its block is the configuration's own, and what it takes, once
 * the arguments are lowered, are temp and scratch buffers, so that others stay where the device is fastest. Devices
 * that are the host's cores themselves run it like any other; on others it is not possible (ERROR_RESOURCES).
 */
bool step_host_lower(const struct unrolling *unrolling, const struct statement *statement,
                     const struct job_step *step);

#endif
