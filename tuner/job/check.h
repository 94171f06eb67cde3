/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h - the consistency of a job that was read from JSON.
 */
#ifndef TUNE_JOB_CHECK_H
#define TUNE_JOB_CHECK_H

#include "tuner/job/job.h"

/*
 * Every index of a buffer, kernel or symbol is in range, dimensions are at least 1, offsets and copies lie within
 * their buffers.
 */
bool job_check(const struct job *job, struct error *error);

#endif
