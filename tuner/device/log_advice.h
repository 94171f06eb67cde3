/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log_advice.h - what some of a compiler's errors are due to, in plain words.
 *
 * CUB's functions that launch kernels are for host programs; CUB 3, which comes with CUDA 13, has lost some function
 * objects that cuda:: has; and on the CPU device dynamic shared memory is a reference, which lambdas may capture.
 */
#ifndef TUNE_DEVICE_LOG_ADVICE_H
#define TUNE_DEVICE_LOG_ADVICE_H

#include <stdio.h>

/* Writes a line "note: ..." for each that the errors of g++, clang or NVRTC are due to. */
void log_advice_write(FILE *stream, const char *log);

#endif
