/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.cuh - the tree of interleaved.cu and cascade.cu: adds pairs half the remaining width apart, one barrier per
 * step.
 */
#ifndef REDUCTION_TREE_CUH
#define REDUCTION_TREE_CUH

#include "passes.cuh"

static __device__ float block_sum(float value)
{
    __shared__ float sums[BLOCK];
    int thread = threadIdx.x;
    sums[thread] = value;
    __syncthreads();
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            sums[thread] += sums[thread + stride];
        __syncthreads();
    }
    return sums[0];
}

#endif
