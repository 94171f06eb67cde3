/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_use.h - which buffers a sequence uses.
 */
#ifndef TUNE_MEASURE_STEP_USE_H
#define TUNE_MEASURE_STEP_USE_H

#include "tuner/job/job.h"

/* Does any step refer to the buffer? */
bool steps_use_buffer(const struct job_steps *steps, size_t buffer);

/* Does the host wait for a count or a flag before it queues further steps? */
bool steps_wait(const struct job_steps *steps);

/* Does any launch have mag(buffer) as an argument? */
bool steps_use_magnitude(const struct job_steps *steps, size_t buffer);

#endif
