/* SPDX-License-Identifier: Apache-2.0 */
/*
 * last_warp.cu - a reduction of n floats: unrolled.cu with a last warp on its own.
 *
 * In the last five steps a single warp is active, for which a barrier of the whole block is more than is needed;
 * __syncwarp suffices. (It is required: since Volta the lanes of a warp do not run in lockstep, and declaring the array
 * volatile guarantees nothing.)
 *
 *   BLOCK   threads per block, at least 64.     FINISH  two_pass, atomic or last; see passes.cuh.
 *   ITEMS   vectors per thread.                 UNROLL  of which so many are in flight at once.
 *   VECTOR  floats per load.
 *
 * Limit: memory bandwidth for large n; for small n the passes through shared memory, which shuffle.cu avoids.
 */
#include "passes.cuh"

static __device__ partial block_reduce(partial value)
{
    __shared__ partial all[BLOCK];
    int thread = threadIdx.x;
    all[thread] = value;
    __syncthreads();
#pragma unroll
    for (int stride = BLOCK / 2; stride >= 32; stride /= 2) {
        if (thread < stride)
            all[thread] = value = combine(value, all[thread + stride]);
        __syncthreads();
    }
    if (thread < 32) {
#pragma unroll
        for (int stride = 16; stride > 0; stride /= 2) {
            if (thread < stride)
                all[thread] = value = combine(value, all[thread + stride]);
            __syncwarp();
        }
    }
    return value;
}
