/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unrolled.cu - sum of n floats: cascade.cu with the tree unrolled.
 *
 * BLOCK is known at compile time, so the steps of the tree become straight-line code: no loop, no comparison with
 * BLOCK. Within the last warp a barrier of the whole block is more than is needed; __syncwarp suffices. (It is
 * required: since Volta the lanes of a warp do not run in lockstep, and declaring the array volatile guarantees
 * nothing.)
 *
 *   BLOCK   threads per block, at least 64.     FINISH  two_pass or atomic; see passes.cuh.
 *   ITEMS   vectors per thread.                 VECTOR  floats per load.
 *
 * Limit: memory bandwidth for large n; for small n the passes through shared memory, which shuffle.cu avoids.
 */
#include "passes.cuh"

static __device__ float block_sum(float value)
{
    __shared__ float sums[BLOCK];
    int thread = threadIdx.x;
    sums[thread] = value;
    __syncthreads();
#pragma unroll
    for (int stride = BLOCK / 2; stride >= 32; stride /= 2) {
        if (thread < stride)
            sums[thread] = value = value + sums[thread + stride];
        __syncthreads();
    }
    if (thread < 32) {
#pragma unroll
        for (int stride = 16; stride > 0; stride /= 2) {
            if (thread < stride)
                sums[thread] = value = value + sums[thread + stride];
            __syncwarp();
        }
    }
    return value;
}
