/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shuffle.cu - sum of n floats, cascade.cu with a tree of warp shuffles.
 *
 * The lanes of a warp add up their registers by __shfl_down_sync: five steps without shared memory or barriers. Only one
 * value a warp goes through shared memory, and the first warp adds those: one barrier for the block instead of one a
 * step, and 32 times less shared memory.
 *
 *   BLOCK   threads of a block.         FINISH  two_pass or atomic; see passes.cuh.
 *   ITEMS   vectors a thread loads.     VECTOR  floats of a load.
 *
 * Limit: memory bandwidth.
 */
#include "passes.cuh"

#define WARPS (BLOCK / 32)

static __device__ float warp_sum(float value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

static __device__ float block_sum(float value)
{
    __shared__ float sums[WARPS];
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    value = warp_sum(value);
    if (lane == 0)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = warp_sum(lane < WARPS ? sums[lane] : 0.0f);
    return value;
}
