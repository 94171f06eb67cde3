/* SPDX-License-Identifier: Apache-2.0 */
/*
 * case.h - one size of a job: buffers, sequences, checks, work.
 */
#ifndef TUNE_JOB_CASE_H
#define TUNE_JOB_CASE_H

#include "tuner/job/lowering.h"

/* Lower the case whose sizes are in lowering->slots; kernels and symbols are added to the job's programs. */
bool case_lower(const struct lowering *lowering, struct job_case *result);

#endif
