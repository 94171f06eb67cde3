/* SPDX-License-Identifier: Apache-2.0 */
/*
 * argument_json.h - the arguments of a launch, as JSON: write.h documents the format.
 */
#ifndef TUNE_JOB_ARGUMENT_JSON_H
#define TUNE_JOB_ARGUMENT_JSON_H

#include "tuner/job/job.h"

/* A new reference; NULL: out of memory. */
struct json_t *arguments_to_json(const struct job_step *step);

/* ERROR_SYSTEM: something is missing or of the wrong type. What has been read is the job's to free even then. */
bool arguments_from_json(const struct json_t *json, struct job_step *step, struct error *error);

#endif
