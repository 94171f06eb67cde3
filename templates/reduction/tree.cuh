/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.cuh - the tree of interleaved.cu and cascade.cu: combines pairs half the remaining width apart, one barrier per
 * step.
 */
#ifndef REDUCTION_TREE_CUH
#define REDUCTION_TREE_CUH

#include "passes.cuh"

static __device__ partial block_reduce(partial value)
{
    __shared__ partial all[BLOCK];
    int thread = threadIdx.x;
    all[thread] = value;
    __syncthreads();
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            all[thread] = combine(all[thread + stride], all[thread]);
        __syncthreads();
    }
    return all[0];
}

#endif
