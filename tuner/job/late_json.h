/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late_json.h - what of a step is known only when it runs, as JSON:
 *     [name or null, file or null, line, column, length, excerpt or null, [use, index, at, element, text], ...]
 */
#ifndef TUNE_JOB_LATE_JSON_H
#define TUNE_JOB_LATE_JSON_H

#include "tuner/job/job.h"

/* A new reference; NULL: out of memory. */
struct json_t *late_write(const struct job_late *late);

/* ERROR_SYSTEM: it is damaged. `*late` is then to be freed as well. */
bool late_read(const struct json_t *json, struct job_late **late, struct error *error);

/* The names of a job as JSON; add those that were written. */
struct json_t *late_write_names(const struct job *job);
bool late_read_names(const struct json_t *json, size_t count_count, struct job *job, struct error *error);

/* Once a job has been read: parse its formulas and find the names that steps set. */
bool late_resolve(struct job *job, struct error *error);

#endif
