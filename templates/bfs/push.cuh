/* SPDX-License-Identifier: Apache-2.0 */
/*
 * push.cuh - top down: a vertex that has been reached last reaches its neighbours.
 *
 *   THREADS  see own_vertex.cuh.
 */
#ifndef BFS_PUSH_CUH
#define BFS_PUSH_CUH

#include "levels.cuh"
#include "own_vertex.cuh"

/* found(u) for each vertex u that this thread reaches, from all or from a part of v's neighbours. */
template <typename function>
static __device__ __forceinline__ void push(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours,
                                            int *levels, int v, int level, function &found)
{
    unsigned end = offsets[v + 1];
    for (unsigned k = offsets[v] + own_part(); k < end; k += THREADS) {
        int u = neighbours[k];
        if (claim(levels, u, level))
            found(u);
    }
}

#endif
