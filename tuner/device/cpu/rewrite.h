/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rewrite.h - a kernel's CUDA source as text that the host's C++ compiler takes, with cuda_words.hpp ahead of it.
 *
 * Four things change, each on its own line, so that line numbers stay right:
 *     extern __shared__ T x[];     becomes a reference to the block's dynamic memory; a pointer outside functions,
 *     #pragma unroll [N]           becomes a macro, since the host's compilers do not know this pragma,
 *     __cluster_dims__(2, 1, 1)    becomes an entry of the table of clusters,
 *     k<<<grid, block>>>(x)        becomes an expression of launch_words.hpp, and an entry of the table of launched
 * kernels.
 */
#ifndef TUNE_DEVICE_CPU_REWRITE_H
#define TUNE_DEVICE_CPU_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct rewritten {
    size_t shared_alignment; /* the largest that its dynamic shared memory is declared with; 0: none */
};

/* Where it goes. `clusters` and `launched` may be NULL: then what concerns them stays as it is. */
struct rewrite_to {
    FILE *text;
    FILE *clusters; /* a line TUNE_CLUSTER_OF(name, 2, 1, 1) per kernel with __cluster_dims__ */
    FILE *launched; /* a line "name", per launch, without template arguments; "?" if it names no kernel */
};

/* False: out of memory, or a stream failed. */
bool rewrite_source(const char *text, size_t length, const struct rewrite_to *to, struct rewritten *rewritten);

#endif
