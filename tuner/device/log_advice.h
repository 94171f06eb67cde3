/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log_advice.h - what a compiler's errors about names of CUB are due to, in plain words.
 *
 * The functions that launch kernels are for host programs; and CUB 3, which comes with CUDA 13, has lost some
 * function objects that cuda:: has.
 */
#ifndef TUNE_DEVICE_LOG_ADVICE_H
#define TUNE_DEVICE_LOG_ADVICE_H

#include <stdio.h>

/* Writes a line "note: ..." for each that the errors of g++, clang or NVRTC are due to. */
void log_advice_write(FILE *stream, const char *log);

#endif
