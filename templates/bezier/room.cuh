/* SPDX-License-Identifier: Apache-2.0 */
/*
 * room.cuh - room for the points of a warp's curves, one a thread: taken together, by one atomic addition.
 */
#ifndef BEZIER_ROOM_CUH
#define BEZIER_ROOM_CUH

/* Where the thread's `count` points begin; `taken` is how many places are taken so far. By all threads of a warp. */
static __device__ __forceinline__ unsigned take_room(unsigned *taken, int count)
{
    int lane = threadIdx.x % 32;
    unsigned end = (unsigned)count, first = 0;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        unsigned before = __shfl_up_sync(0xffffffffu, end, step);
        end += lane >= step ? before : 0;
    }
    if (lane == 31)
        first = atomicAdd(taken, end);
    return __shfl_sync(0xffffffffu, first, 31) + end - (unsigned)count;
}

#endif
