/* SPDX-License-Identifier: Apache-2.0 */
/*
 * room.cuh - room for the points of a warp's curves, one a thread: taken together, by one atomic addition.
 */
#ifndef BEZIER_ROOM_CUH
#define BEZIER_ROOM_CUH

#include "../sums.cuh"
#include "curve.cuh"

/* Where the thread's `count` points begin; `taken` is how many places are taken so far. By all threads of a warp. */
static __device__ __forceinline__ unsigned take_room(unsigned *taken, int count)
{
    int lane = threadIdx.x % 32;
    unsigned end = warp_sum_up_to((unsigned)count, lane), first = 0;
    if (lane == 31)
        first = atomicAdd(taken, end);
    return __shfl_sync(0xffffffffu, first, 31) + end - (unsigned)count;
}

/* A curve, and where its points begin; without points if there is no such curve. */
struct placed {
    curve bent;
    int count;
    unsigned start;
};

/* Count the points of curve n, if there are so many curves, take room, and write down both. By all threads of a warp. */
static __device__ __forceinline__ placed place_curve(const float2 *__restrict__ controls, unsigned *__restrict__ starts,
                                                     int *__restrict__ counts, unsigned *taken, int n, int curves, int most)
{
    placed own = {};
    if (n < curves) {
        own.bent = load_curve(controls, n);
        own.count = count_points(own.bent, most);
    }
    own.start = take_room(taken, own.count);
    if (n < curves) {
        starts[n] = own.start;
        counts[n] = own.count;
    }
    return own;
}

/* A thread alone. */
static __device__ __forceinline__ void write_points(float2 *__restrict__ packed, const placed &own)
{
    for (int i = 0; i < own.count; i++)
        packed[own.start + i] = point_of(own.bent, i, own.count);
}

#endif
