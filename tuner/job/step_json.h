/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_json.h - the steps of a job and the arguments of their launches, as JSON: write.h documents the format.
 */
#ifndef TUNE_JOB_STEP_JSON_H
#define TUNE_JOB_STEP_JSON_H

#include "tuner/job/job.h"

/* A new reference; NULL: out of memory. */
struct json_t *steps_to_json(struct job_steps steps);

/* ERROR_SYSTEM: something is missing or of the wrong type. What has been read is the job's to free even then. */
bool steps_from_json(const struct json_t *json, struct job_steps *steps, struct error *error);

#endif
