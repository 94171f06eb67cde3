/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unrolled.cu - sum of n floats, cascade.cu with the tree written out.
 *
 * BLOCK is known when the kernel is compiled, so the steps of the tree become straight code: no loop, no comparison with
 * BLOCK. Within the last warp a barrier of the block is more than is needed: __syncwarp is enough. (It is needed: since
 * Volta the lanes of a warp do not run in lock step, so declaring the array volatile proves nothing.)
 *
 *   BLOCK   threads of a block, at least 64.    FINISH  two_pass or atomic; see passes.cuh.
 *   ITEMS   vectors a thread loads.             VECTOR  floats of a load.
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
