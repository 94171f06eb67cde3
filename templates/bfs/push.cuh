/* SPDX-License-Identifier: Apache-2.0 */
/*
 * push.cuh - top down: a vertex that has been reached last reaches its neighbours.
 *
 *   THREADS  threads a vertex, a power of two up to 32. Many read a long list in whole lines, and are idle at a short one.
 */
#ifndef BFS_PUSH_CUH
#define BFS_PUSH_CUH

#include "levels.cuh"

static_assert(THREADS >= 1 && THREADS <= 32 && (THREADS & (THREADS - 1)) == 0, "a warp has whole vertices");

/* Which vertex is this thread's. */
static __device__ __forceinline__ long long own_vertex()
{
    return ((long long)blockIdx.x * blockDim.x + threadIdx.x) / THREADS;
}

/* found(u) for each vertex u that this thread reaches, from all or from a part of v's neighbours. */
template <typename function>
static __device__ __forceinline__ void push(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours,
                                            int *levels, int v, int level, function &found)
{
    unsigned end = offsets[v + 1];
    for (unsigned k = offsets[v] + threadIdx.x % THREADS; k < end; k += THREADS) {
        int u = neighbours[k];
        if (claim(levels, u, level))
            found(u);
    }
}

#endif
