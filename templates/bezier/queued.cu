/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queued.cu - short curves at once, long ones listed for blocks of their own: who has much work gets many threads.
 *
 *   divide   a thread a curve. It takes room for its points, as many as there are, from a counter: the threads of a warp
 *            together, by one atomic addition. Up to THRESHOLD points it computes itself; a longer curve goes to a list.
 *   conquer  the curves of the list, by groups of threads. How many there are only the device knows, so there are as many
 *            blocks as fit it, which take one curve after the other.
 *
 * Where launched.cu launches a grid for each long curve, the list does it in one launch.
 *
 *   BLOCK          threads of a block.
 *   THRESHOLD      points up to which a thread computes a curve alone.
 *   CURVES         curves of a block of `conquer`; see groups.cuh.
 *   BLOCKS_PER_SM  blocks of `conquer` on a multiprocessor.
 *
 * Limit: a thread's points follow each other in memory, so those that a warp writes at a time do not: each is a memory
 * transaction of its own, and a warp takes as long as its longest curve.
 */
#include "groups.cuh"
#include "places.cuh"
#include "room.cuh"

/* counters[0]: points so far. counters[1]: curves of the list. */
__global__ void __launch_bounds__(BLOCK)
    divide(const float2 *__restrict__ controls, float2 *__restrict__ packed, unsigned *__restrict__ starts,
           int *__restrict__ counts, int *__restrict__ list, unsigned *counters, int curves, int most)
{
    int n = blockIdx.x * BLOCK + threadIdx.x;
    placed own = place_curve(controls, starts, counts, &counters[0], n, curves, most);
    if (own.count > THRESHOLD)
        list[atomicAdd(&counters[1], 1u)] = n;
    else
        write_points(packed, own);
}

__global__ void __launch_bounds__(BLOCK)
    conquer(const float2 *__restrict__ controls, float2 *__restrict__ packed, const unsigned *__restrict__ starts,
            const int *__restrict__ counts, const int *__restrict__ list, const unsigned *__restrict__ counters)
{
    int listed = (int)counters[1];
    for (int at = blockIdx.x * CURVES + threadIdx.x / GROUP; at < listed; at += gridDim.x * CURVES) {
        int n = list[at];
        put_points(load_curve(controls, n), counts[n], packed + starts[n]);
    }
}
