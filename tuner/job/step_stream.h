/* SPDX-License-Identifier: Apache-2.0 */
/*
 * step_stream.h - the streams of launches, copies and fills, and the order between them.
 *
 * Streams begin behind all that precedes their block and end with it; what their steps share must be ordered by
 * `wait a after b`.
 */
#ifndef TUNE_JOB_STEP_STREAM_H
#define TUNE_JOB_STEP_STREAM_H

#include "tuner/job/unrolling.h"

/* Set the step's stream from the statement's attribute. */
bool step_stream_lower(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step);

bool step_wait_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list);

#endif
