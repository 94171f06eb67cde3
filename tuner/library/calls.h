/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calls.h - what a program launches, for `tune NAME --sizes FILE`: a line a kernel (tuner/dispatch/capture.h), which
 * is added to the file when the kernel is freed. Those of kernels that were freed before a program crashes stay.
 */
#ifndef TUNE_LIBRARY_CALLS_H
#define TUNE_LIBRARY_CALLS_H

#include "tuner/library/answer.h"

/* Add a line: the answer's kernel was launched `count` times. What cannot be written is lost; nobody is told. */
void calls_write(const char *path, const struct tune_answer *answer, uint64_t count);

#endif
