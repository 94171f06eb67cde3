/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.h - is a job consistent in itself? For jobs that come from outside.
 */
#ifndef TUNE_JOB_CHECK_H
#define TUNE_JOB_CHECK_H

#include "tuner/job/job.h"

/*
 * Every index of a buffer, kernel or symbol names one, dimensions are at least 1, offsets and copies lie within their
 * buffers. The error says what does not.
 */
bool job_check(const struct job *job, struct error *error);

#endif
