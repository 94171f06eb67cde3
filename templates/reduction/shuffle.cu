/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shuffle.cu - sum of n floats: cascade.cu with a tree of warp shuffles.
 *
 * The lanes of a warp add up their registers with __shfl_down_sync: five steps without shared memory or barriers.
 * Only one value per warp passes through shared memory, and the first warp adds those: one barrier per block instead
 * of one per step, and 32 times less shared memory.
 *
 *   BLOCK   threads per block.          FINISH  two_pass or atomic; see passes.cuh.
 *   ITEMS   vectors per thread.         VECTOR  floats per load.
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
