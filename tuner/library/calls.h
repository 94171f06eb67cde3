/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.h - what a program launches, for `tune NAME --sizes FILE`: a line a kernel (tuner/dispatch/capture.h), which
 * is added to the file when the kernel is freed. Those of kernels that were freed before a program crashes stay.
 *
 * With a folder it also gets the data: what the inputs hold at the first launch of a kernel that no graph captures,
 * raw, in a file each of a folder of the kernel's own. The line names them, so that a sweep of its sizes has them.
 * That launch waits for its stream. Left out is what no file can give a sweep (inputs_take): parts of a sparse
 * matrix, and what setup makes of others.
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

/* NULL: out of memory. The template must live as long. */
struct calls *calls_begin(const struct calls_place *place, const struct template *template);
struct calls *calls_begin_another(const struct calls *calls); /* in the same place */

/* Before a launch and after it. Several threads may at once. */
void calls_look(struct calls *calls, struct variant *variant, void *stream, const struct tune_buffer *buffers);
void calls_count(struct calls *calls);

/* Add a line if the answer's kernel was launched. Both may be NULL. */
void calls_end(struct calls *calls, const struct tune_answer *answer);

#endif
