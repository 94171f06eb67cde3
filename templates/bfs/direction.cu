/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direction.cu - vertex-centric, top down or bottom up, whichever a rule (direction.cuh) says is less work: a level with
 * many neighbours is found by those that are left.
 *
 *   expand_down, expand_up  as push.cu and pull.cu, but with a count of what has been found.
 *   choose                  a thread: which of them finds the next level. The host reads just that.
 *
 *   BLOCK        threads of a block.
 *   THREADS      see own_vertex.cuh.
 *   ALPHA, BETA  see direction.cuh.
 *
 * Limit: with few levels, reading entries at random; with many, looking for the vertices of each.
 */
#include "direction.cuh"
#include "pull.cuh"
#include "push.cuh"
#include "tally.cuh"

/* What is known between levels. The direction comes first, as it is read back. */
struct progress {
    unsigned direction, before, left; /* vertices of the level before; entries of vertices that are not reached */
    tally found;                      /* in this level */
};

struct counted {
    const unsigned *offsets;
    tally found;

    __device__ __forceinline__ void operator()(int v)
    {
        found.vertices++;
        found.entries += offsets[v + 1] - offsets[v];
    }
};

/* For all threads of a block. */
static __device__ __forceinline__ void count(tally found, progress *all)
{
    __shared__ tally block;
    if (!__syncthreads_or(found.vertices != 0))
        return;
    if (threadIdx.x == 0)
        block = {0, 0, 0};
    __syncthreads();
    add_to_block(found, &block);
    __syncthreads();
    if (threadIdx.x == 0)
        add_to_all(block, &all->found);
}

__global__ void __launch_bounds__(BLOCK)
    start(const unsigned *__restrict__ offsets, const int *__restrict__ source, int *levels, progress *all, int vertices)
{
    start_levels(levels, source[0], vertices);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        unsigned own = offsets[source[0] + 1] - offsets[source[0]];
        *all = {DOWN, 1, offsets[vertices] - own, {0, 0, 0}};
    }
}

__global__ void __launch_bounds__(BLOCK)
    expand_down(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours, int *levels, progress *all,
                int vertices, int level)
{
    long long v = own_vertex();
    counted found = {offsets, {0, 0, 0}};
    if (v < vertices && peek(&levels[v]) == level - 1)
        push(offsets, neighbours, levels, (int)v, level, found);
    count(found.found, all);
}

__global__ void __launch_bounds__(BLOCK)
    expand_up(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours, int *levels, progress *all,
              int vertices, int level)
{
    long long v = own_vertex();
    counted found = {offsets, {0, 0, 0}};
    if (v < vertices && pull(offsets, neighbours, levels, (int)v, level))
        found((int)v);
    count(found.found, all);
}

__global__ void choose(progress *all, int vertices)
{
    progress now = *all;
    unsigned left = now.left - now.found.entries;
    unsigned direction =
        next_direction(now.direction, now.found.vertices, now.before, now.found.entries, left, vertices);
    *all = {direction, now.found.vertices, left, {0, 0, 0}};
}
