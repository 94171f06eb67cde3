/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plain_run.h - run one job on a device in a process of its own, for another program to observe.
 *
 * compute-sanitizer observes a process from its start. This one reads its request from standard input, allocates
 * buffers of exactly the right size, so that the first byte past a buffer belongs to nothing, prints where each one
 * is
 * ("tune buffer NAME ADDRESS BYTES"), runs the job's sequences once and exits.
 */
#ifndef TUNE_CHECK_PLAIN_RUN_H
#define TUNE_CHECK_PLAIN_RUN_H

#include "tuner/job/job.h"

#define PLAIN_RUN_ROLE   "check_plain"
#define PLAIN_RUN_BUFFER "tune buffer"

/* What the process expects on standard input; a new reference, or NULL. */
struct json_t *plain_run_request(const char *kind, int ordinal, const struct job *job, size_t which);

/* The body of the process, which reads the request from `input`. Returns the exit status. */
int plain_run_main(int input);

#endif
