/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_output.h - the last bytes that a worker printed: they explain a crash.
 */
#ifndef TUNE_WORKERS_WORKER_OUTPUT_H
#define TUNE_WORKERS_WORKER_OUTPUT_H

#include <stddef.h>

enum { WORKER_OUTPUT_KEPT = 2048 }; /* bytes */

struct worker_output {
    int descriptor; /* of a pipe that does not block; -1: closed */
    size_t printed; /* bytes in total */
    char kept[WORKER_OUTPUT_KEPT];
};

/* Takes over the descriptor, which may be -1. */
void worker_output_begin(struct worker_output *output, int descriptor);
void worker_output_end(struct worker_output *output);

/* Take what was printed, but not endlessly: a worker may print faster than this reads. */
void worker_output_keep(struct worker_output *output);

/* The end of what was printed after the first `from` bytes, without control characters except line breaks, in at most
 * `size` bytes; its length. */
size_t worker_output_text(const struct worker_output *output, size_t from, char *text, size_t size);

#endif
