/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_use.h - what a sequence has among its steps, those within loops and branches included.
 */
#ifndef TUNE_MEASURE_STEP_USE_H
#define TUNE_MEASURE_STEP_USE_H

#include "tuner/job/job.h"

/* Does this hold for any step? */
typedef bool step_predicate(const struct job_step *step, const void *context);
bool steps_any(const struct job_steps *steps, step_predicate *holds, const void *context);

/* Does any step refer to the buffer? */
bool steps_use_buffer(const struct job_steps *steps, size_t buffer);

/* Does the host wait for a count or a flag before it queues further steps? */
bool steps_wait(const struct job_steps *steps);

/* Does any launch have mag(buffer) as an argument? */
bool steps_use_magnitude(const struct job_steps *steps, size_t buffer);

#endif
