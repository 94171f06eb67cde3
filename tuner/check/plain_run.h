/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plain_run.h - run one job on a device as a program of its own, for another program to look at.
 *
 * compute-sanitizer watches a process from its start. This one reads what to do from its standard input, has buffers
 * of their exact sizes, so that the first byte behind one is nobody's, prints where each lies ("tune buffer NAME
 * ADDRESS BYTES"), runs the job's sequences once and ends.
 */
#ifndef TUNE_CHECK_PLAIN_RUN_H
#define TUNE_CHECK_PLAIN_RUN_H

#include "tuner/job/job.h"

#define PLAIN_RUN_ROLE   "check_plain"
#define PLAIN_RUN_BUFFER "tune buffer"

/* The standard input that it wants, a new reference. */
struct json_t *plain_run_request(const char *kind, int ordinal, const struct job *job, size_t which);

/* The process: reads the request from `input`. Returns the exit status. */
int plain_run_main(int input);

#endif
