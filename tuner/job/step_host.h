/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_host.h - launches that the host's cores run.
 */
#ifndef TUNE_JOB_STEP_HOST_H
#define TUNE_JOB_STEP_HOST_H

#include "tuner/job/unrolling.h"

/* What precedes the kernel's name: HOST_KERNEL if the statement is a launch on the host. A device that is the host
 * itself runs it like any other: "". */
bool step_host_choose(const struct unrolling *unrolling, const struct statement *statement, const char **before);

/*
 * Check a launch on the host, if the statement is one: its block is the configuration's own, and what it takes, once
 * the arguments are lowered, are temp and scratch buffers, so that others stay where the device is fastest. Note
 * these.
 */
bool step_host_lower(const struct unrolling *unrolling, const struct statement *statement,
                     const struct job_step *step);

/* Once all steps are lowered: which buffers must be in the host's memory. ERROR_INPUT: one is swapped with others. */
bool step_host_place(const struct lowering *lowering, struct job_case *now);

#endif
