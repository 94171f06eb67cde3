/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler_log.h - NVRTC's log: the messages a user should see, and the spills that the assembler reports.
 *
 * With --ptxas-options=-v the assembler writes, between the messages, each kernel's registers, stack and spills. The
 * spills are found nowhere else, so the option is always on, and these lines are removed. A kernel or variable that
 * cannot be looked up is reported in terms of a generated file; it gets a message in the user's terms instead.
 */
#ifndef TUNE_DEVICE_CUDA_COMPILER_LOG_H
#define TUNE_DEVICE_CUDA_COMPILER_LOG_H

#include "tuner/device/cuda/image.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The log as the user reads it. `failure` is why there is no program, in NVRTC's words; NULL: there is one. `names`
 * are those that were looked up ("&name": a variable). The caller frees the text. NULL: out of memory.
 */
char *compiler_log_messages(const char *log, const char *path, const struct image_name *names, size_t name_count,
                            const char *failure);

/* Bytes of spill stores and loads of `kernels`, by their lowered names, and of the functions they call; -1: the log
 * does not say. */
int64_t compiler_log_spills(const char *log, const struct image_name *kernels, size_t kernel_count);

#endif
