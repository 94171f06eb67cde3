/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pull.cu - vertex-centric, bottom up: THREADS threads a vertex; if it has not been reached, they look for a neighbour
 * that was reached last (pull.cuh).
 *
 * When most vertices have been reached, or are about to, this reads a small part of the lists; in the levels before that,
 * nearly all of them in vain.
 *
 *   BLOCK    threads of a block.
 *   THREADS  see own_vertex.cuh.
 *
 * Limit: the lists of vertices that are not reached, read at each level.
 */
#include "pull.cuh"

__global__ void __launch_bounds__(BLOCK) start(const int *__restrict__ source, int *levels, int vertices)
{
    start_levels(levels, source[0], vertices);
}

__global__ void __launch_bounds__(BLOCK)
    expand(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours, int *levels, int *grown,
           int vertices, int level)
{
    long long v = own_vertex();
    tell(grown, v < vertices && pull(offsets, neighbours, levels, (int)v, level));
}
