/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rewrite.h - a kernel's CUDA source as text that the host's C++ compiler takes, with cuda_words.hpp ahead of it.
 *
 * Three things change, each on its own line, so that line numbers stay right:
 *     extern __shared__ T x[];     becomes a pointer to the block's dynamic shared memory,
 *     #pragma unroll [N]           becomes a macro, since the host's compilers do not know this pragma,
 *     #include <cuda_fp16.h> ...   headers of the CUDA Toolkit become an error that says so, or nothing if
 *                                  cuda_words.hpp declares the same.
 */
#ifndef TUNE_DEVICE_CPU_REWRITE_H
#define TUNE_DEVICE_CPU_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Is a header that is no file of the user's one of the host's C and C++ libraries, not of the CUDA Toolkit? */
bool rewrite_is_host_header(const char *name, size_t length);

struct rewritten {
    bool host_headers;       /* the text includes headers of the host */
    size_t shared_alignment; /* the largest that its dynamic shared memory is declared with; 0: none */
};

/* False: out of memory, or the stream failed. */
bool rewrite_source(const char *text, size_t length, FILE *stream, struct rewritten *rewritten);

#endif
