/* SPDX-License-Identifier: Apache-2.0 */
/*
 * neighboured_dense.cu - a reduction of n floats: the pairs of neighboured_divergent.cu, taken by the first threads.
 *
 * The pairs stay the same, but thread t takes pair t: the active threads are the first ones, whole warps retire after
 * each step, and only the last five steps diverge. In exchange the threads of a warp now read words 2s apart, which
 * share banks of shared memory: up to 32 accesses are serialised.
 *
 *   BLOCK   threads per block.          FINISH  two_pass, atomic or last; see passes.cuh.
 *   ITEMS, UNROLL and VECTOR are 1.
 *
 * Limit: bank conflicts, 2-way in the first step and doubling with each further step.
 */
#include "passes.cuh"

static __device__ partial block_reduce(partial value)
{
    __shared__ partial all[BLOCK];
    int thread = threadIdx.x;
    all[thread] = value;
    __syncthreads();
    for (int stride = 1; stride < BLOCK; stride *= 2) {
        int left = 2 * stride * thread;
        if (left < BLOCK)
            all[left] = combine(all[left + stride], all[left]);
        __syncthreads();
    }
    return all[0];
}
