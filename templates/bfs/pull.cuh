/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pull.cuh - bottom up: a vertex that has not been reached looks for a neighbour that was reached last. One is enough:
 * where most neighbours are, few of them are looked at. Nobody else writes the vertex's level, so there are no atomics.
 *
 * That is right as each edge is in the lists of both of its ends; of a directed graph it would need those of the edges
 * that lead to a vertex.
 *
 *   THREADS  threads a vertex, see own_vertex.cuh; so many neighbours are looked at together.
 */
#ifndef BFS_PULL_CUH
#define BFS_PULL_CUH

#include "levels.cuh"
#include "own_vertex.cuh"

/* Of the threads of a vertex. */
static __device__ __forceinline__ bool any_of_vertex(bool value)
{
    unsigned lanes = THREADS == 32 ? 0xffffffffu : ((1u << THREADS % 32) - 1) << threadIdx.x % 32 / THREADS * THREADS;
    return THREADS == 1 ? value : __any_sync(lanes, value);
}

/* For all threads of a vertex; true for the first of them if the vertex has been reached. */
static __device__ __forceinline__ bool pull(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours,
                                            int *levels, int v, int level)
{
    int part = own_part();
    if (peek(&levels[v]) != UNREACHED)
        return false;
    unsigned end = offsets[v + 1];
    bool found = false;
    for (unsigned k = offsets[v]; k < end && !found; k += THREADS)
        found = any_of_vertex(k + part < end && peek(&levels[neighbours[k + part]]) == level - 1);
    if (found && part == 0)
        put(&levels[v], level);
    return found && part == 0;
}

#endif
