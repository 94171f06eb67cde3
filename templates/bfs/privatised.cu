/* SPDX-License-Identifier: Apache-2.0 */
/*
 * privatised.cu - queue.cu, where each block has a queue of its own in shared memory. When it is done, it takes room for
 * all of it in the next queue by a single addition, and copies it there in whole lines. What does not fit goes to the next
 * queue at once.
 *
 *   BLOCK     threads of a block.
 *   THREADS   see own_vertex.cuh.
 *   CAPACITY  vertices of a block's queue.
 *
 * Limit: reading and claiming neighbours at random; with small levels, the time from a launch to the next.
 */
#include "frontier.cuh"

struct privately_queued {
    int *own;
    unsigned *own_length;
    int *next;
    unsigned *length;

    __device__ __forceinline__ void operator()(int v)
    {
        unsigned place = atomicAdd(own_length, 1u);
        if (place < CAPACITY)
            own[place] = v;
        else
            next[atomicAdd(length, 1u)] = v;
    }
};

__global__ void __launch_bounds__(BLOCK)
    expand(const unsigned *__restrict__ offsets, const int *__restrict__ neighbours, int *levels,
           const int *__restrict__ frontier, int *next, unsigned *length, unsigned vertices, int level)
{
    __shared__ int own[CAPACITY];
    __shared__ unsigned own_length, room;
    if (threadIdx.x == 0)
        own_length = 0;
    __syncthreads();
    long long i = own_vertex();
    privately_queued found = {own, &own_length, next, length};
    if (i < vertices)
        push(offsets, neighbours, levels, frontier[i], level, found);
    __syncthreads();
    unsigned held = min(own_length, (unsigned)CAPACITY);
    if (threadIdx.x == 0 && held > 0)
        room = atomicAdd(length, held);
    __syncthreads();
    for (unsigned n = threadIdx.x; n < held; n += BLOCK)
        next[room + n] = own[n];
}
