/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layouts.h - the types of a job's buffers that are no scalars: each once, in memory of the job.
 */
#ifndef TUNE_JOB_LAYOUTS_H
#define TUNE_JOB_LAYOUTS_H

#include "tuner/job/job.h"

/* The job's layout that equals this one, which is added if there is none; a scalar's is static. NULL: out of memory.
 */
const struct layout *layouts_add(struct job *job, const struct layout *layout);

/* All of them as JSON: a new reference, or NULL when out of memory. */
struct json_t *layouts_write(const struct job *job);
/* Add what layouts_write wrote. ERROR_SYSTEM: it is damaged. */
bool layouts_read(const struct json_t *json, struct job *job, struct error *error);

/* The layout of this name, a string in JSON: one of the job's, or a scalar's. ERROR_SYSTEM: there is none. */
bool layouts_find(const struct json_t *json, const struct job *job, const struct layout **layout,
                  struct error *error);

#endif
