/* SPDX-License-Identifier: Apache-2.0 */
/*
 * push.cu - vertex-centric, top down: THREADS threads a vertex; if it has been reached last, they reach its neighbours.
 *
 * Lists of other vertices are not read, so all levels together read each list once. But every level looks at all
 * vertices, and a vertex with very many neighbours keeps its threads busy when all others have long been done.
 *
 *   BLOCK    threads of a block.
 *   THREADS  see own_vertex.cuh.
 *
 * Limit: the threads of the longest list; with many levels, looking for the vertices of each.
 */
#include "push.cuh"

struct reached {
    bool any;

    __device__ __forceinline__ void operator()(int) { any = true; }
};

__global__ void __launch_bounds__(BLOCK) start(const int *__restrict__ source, int *levels, int vertices)
{
    start_levels(levels, source[0], vertices);
}

__global__ void __launch_bounds__(BLOCK)
    expand(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours, int *levels, int *grown,
           int vertices, int level)
{
    long long v = own_vertex();
    reached found = {false};
    if (v < vertices && peek(&levels[v]) == level - 1)
        push(offsets, neighbours, levels, (int)v, level, found);
    tell(grown, found.any);
}
