/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shuffle.cu - a reduction of n floats: cascade.cu with a tree of warp shuffles.
 *
 * The lanes of a warp combine their registers with __shfl_down_sync: five steps without shared memory or barriers.
 * Only one value per warp passes through shared memory, and the first warp combines those: one barrier per block
 * instead of one per step, and 32 times less shared memory.
 *
 *   BLOCK   threads per block.          FINISH  two_pass, atomic or last; see passes.cuh.
 *   ITEMS   vectors per thread.         UNROLL  of which so many are in flight at once.
 *   VECTOR  floats per load.
 *
 * Limit: memory bandwidth.
 */
#include "passes.cuh"

#define WARPS (BLOCK / 32)

static __device__ partial warp_reduce(partial value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value = combine(value, from_below(value, distance));
    return value;
}

static __device__ partial block_reduce(partial value)
{
    __shared__ partial all[WARPS];
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    value = warp_reduce(value);
    if (lane == 0)
        all[warp] = value;
    __syncthreads();
    if (warp == 0)
        value = warp_reduce(lane < WARPS ? all[lane] : nothing());
    return value;
}
