/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.h - from a kernel's CUDA source to a translation unit for the host's C++ compiler.
 *
 * The unit is the words of CUDA, the defines, the user's text under its own name and line numbers, and a table of the
 * kernels and symbols that are asked for. The text itself is changed in three places only, each on its own line:
 *     extern __shared__ T x[];     becomes a pointer to the block's dynamic shared memory,
 *     #pragma unroll [N]           becomes a macro, since the host's compilers know no such pragma,
 *     #include <cuda_fp16.h> ...   headers of the CUDA Toolkit become an error that says so, or nothing if the words
 *                                  already hold what they declare.
 */
#ifndef TUNE_DEVICE_CPU_SOURCE_H
#define TUNE_DEVICE_CPU_SOURCE_H

#include "tuner/device/device.h"

#include <stdio.h>

/* Write what stands ahead of the defines in every unit: the words of CUDA. */
void source_write_words(FILE *stream);

/*
 * Write the unit. `*words_ahead` says that the compiler will be given the words of CUDA ahead of it; it becomes false
 * where the unit needs them otherwise and has them in it. False only if memory runs out or the stream fails.
 */
bool source_write(const struct compile_request *request, bool *words_ahead, FILE *stream, struct error *error);

/* Write the user's text alone, changed as above. Sets `host_headers` if it includes headers of the host. */
bool source_rewrite(const char *text, size_t length, FILE *stream, bool *host_headers);

#endif
