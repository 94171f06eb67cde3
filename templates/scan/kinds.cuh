/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kinds.cuh - scans over the threads of a block, a value each.
 *
 *   SCAN  kogge_stone, double_buffered, brent_kung_modulo, brent_kung: in shared memory, each in a file of its own;
 *         shuffle: the lanes of a warp with shuffles, five steps without shared memory or barriers, then each warp the
 *         warps' totals by itself: one barrier in all.
 */
#ifndef SCAN_KINDS_CUH
#define SCAN_KINDS_CUH

#include "element.cuh"

#if SCAN_kogge_stone
#include "kogge_stone.cuh"
#elif SCAN_double_buffered
#include "double_buffered.cuh"
#elif SCAN_brent_kung || SCAN_brent_kung_modulo
#include "brent_kung.cuh"
template <int LENGTH> static __device__ __forceinline__ element *scan_in_place(element *values)
{
#if SCAN_brent_kung_modulo
    return scan_tree<LENGTH, true>(values);
#else
    return scan_tree<LENGTH, false>(values);
#endif
}
#endif

enum { WARPS = BLOCK / 32 };

/* Of a warp: inclusive. */
static __device__ __forceinline__ element scan_lanes(element value)
{
    int lane = threadIdx.x % 32;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        element other = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance)
            value += other;
    }
    return value;
}

/* The sum of the lanes before, given the inclusive one. */
static __device__ __forceinline__ element before_lane(element inclusive)
{
    element before = __shfl_up_sync(0xffffffffu, inclusive, 1);
    return threadIdx.x % 32 == 0 ? 0 : before;
}

/*
 * By all threads, whose warps have these totals: the sum of the warps before, and of all. One barrier; there must be
 * another one before the next call.
 */
static __device__ __forceinline__ element before_warp(element warp_total, element &total)
{
    __shared__ element totals[WARPS];
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (lane == 0)
        totals[warp] = warp_total;
    __syncthreads();
    element sums = scan_lanes(lane < WARPS ? totals[lane] : 0);
    total = __shfl_sync(0xffffffffu, sums, 31);
    element before = __shfl_sync(0xffffffffu, sums, (warp + 31) % 32);
    return warp == 0 ? 0 : before;
}

#if !SCAN_rows
/* By all threads: the sum of what the threads before have, and of what all have. As for the barriers, the same. */
static __device__ __forceinline__ element before_thread(element value, element &total)
{
#if SCAN_shuffle
    element sum = scan_lanes(value);
    element lane = before_lane(sum);
    return before_warp(__shfl_sync(0xffffffffu, sum, 31), total) + lane;
#else
    __shared__ element room[SCAN_ROOM(BLOCK)];
    room[threadIdx.x] = value;
    const element *sums = scan_in_place<BLOCK>(room);
    total = sums[BLOCK - 1];
    return threadIdx.x == 0 ? 0 : sums[threadIdx.x - 1];
#endif
}
#endif

#endif
