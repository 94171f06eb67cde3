/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unrolled.cu - a reduction of n floats: cascade.cu with the tree unrolled.
 *
 * BLOCK is known at compile time, so the steps of the tree become straight-line code: no loop, no comparison with
 * BLOCK. What a thread has found stays in a register; only others read it from shared memory.
 *
 *   BLOCK   threads per block.         FINISH  two_pass, atomic or last; see passes.cuh.
 *   ITEMS   vectors per thread.         UNROLL  of which so many are in flight at once.
 *   VECTOR  floats per load.
 *
 * Limit: memory bandwidth for large n; for small n a barrier in each step, also where a single warp is left.
 */
#include "passes.cuh"

static __device__ partial block_reduce(partial value)
{
    __shared__ partial all[BLOCK];
    int thread = threadIdx.x;
    all[thread] = value;
    __syncthreads();
#pragma unroll
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            all[thread] = value = combine(value, all[thread + stride]);
        __syncthreads();
    }
    return value;
}
