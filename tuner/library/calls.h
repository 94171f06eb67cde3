/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.h - what a program launches, for `tune NAME --sizes FILE`: a line a kernel (tuner/dispatch/capture.h), which
 * is added to the file when the kernel is freed. Those of kernels that were freed before a program crashes stay.
 *
 * With a folder it also gets the data: what the inputs hold (kept_inputs.h) at the first launch of a kernel that no
 * graph captures. The line names the files, so that a sweep of its sizes has them. That launch waits for its stream.
 *
 * What cannot be written is lost; nobody is told.
 */
#ifndef TUNE_LIBRARY_CALLS_H
#define TUNE_LIBRARY_CALLS_H

#include "tuner/library/answer.h"
#include "tuner/library/variant.h"

struct calls_place {
    char *file;
    char *folder; /* NULL: without data */
};

struct calls; /* of a kernel handle */

/* Of a kernel with the answer's sizes, which is held. NULL: out of memory. */
struct calls *calls_begin(const struct calls_place *place, const struct tune_answer *answer);
struct calls *calls_begin_another(const struct calls *calls); /* in the same place */

/* Before a launch and after it. Several threads may at once. */
void calls_look(struct calls *calls, struct variant *variant, void *stream, const struct tune_buffer *buffers);
void calls_count(struct calls *calls);

/* Add a line if the kernel was launched. NULL: nothing happens. */
void calls_end(struct calls *calls);

#endif
