/* SPDX-License-Identifier: Apache-2.0 */
/*
 * neighboured_divergent.cu - a reduction of n floats, a tree of pairs whose active threads are scattered.
 *
 * The obvious tree: in step s every thread whose number is a multiple of 2s takes in the value s places further on.
 * Half of the threads drop out in each step, but the remaining ones are spread over all warps, so nearly all warps stay
 * busy with few active lanes; and the remainder in the test is slow besides.
 *
 *   BLOCK   threads per block.          FINISH  two_pass, atomic or last; see passes.cuh.
 *   ITEMS, UNROLL and VECTOR are 1: one value per thread.
 *
 * Limit: divergence. Over log2(BLOCK) steps a warp does work for 32, 16, 8, ... lanes at the price of 32.
 */
#include "passes.cuh"

static __device__ partial block_reduce(partial value)
{
    __shared__ partial all[BLOCK];
    int thread = threadIdx.x;
    all[thread] = value;
    __syncthreads();
    for (int stride = 1; stride < BLOCK; stride *= 2) {
        if (thread % (2 * stride) == 0)
            all[thread] = combine(all[thread + stride], all[thread]);
        __syncthreads();
    }
    return all[0];
}
