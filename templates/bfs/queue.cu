/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.cu - vertices that have been reached last stand in a queue, the frontier: a level has as many threads as it has
 * work, and nobody looks for them.
 *
 * Who reaches a vertex puts it at the end of the next queue, by an addition to its length. All additions of the device go
 * to that one word.
 *
 *   BLOCK    threads of a block.
 *   THREADS  see own_vertex.cuh.
 *
 * Limit: additions to the queue's length; with small levels, the time from a launch to the next.
 */
#include "frontier.cuh"

struct queued {
    int *next;
    unsigned *length;

    __device__ __forceinline__ void operator()(int v) { next[atomicAdd(length, 1u)] = v; }
};

__global__ void __launch_bounds__(BLOCK)
    expand(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours, int *levels,
           const int *__restrict__ frontier, int *next, unsigned *length, unsigned vertices, int level)
{
    long long i = own_vertex();
    queued found = {next, length};
    if (i < vertices)
        push(offsets, neighbours, levels, frontier[i], level, found);
}
