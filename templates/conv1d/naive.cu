/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive.cu - 1-D convolution, a thread an output: signal and mask from global memory.
 *
 *   BLOCK   threads of a block.        UNROLL  values of the mask written out.
 *
 * Limit: two loads for each multiply-add, most of them from the caches, and a test for the boundary.
 */
#include "mask.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void convolve_naive(const float *__restrict__ input, const float *__restrict__ weights,
                               float *__restrict__ output, int n)
{
    int k = blockIdx.x * BLOCK + threadIdx.x;
    if (k >= n)
        return;
    float sum = 0.0f;
#pragma unroll unroll
    for (int j = 0; j < MASK_WIDTH; j++)
        sum += weights[j] * value_at(input, k + j - RADIUS, n);
    output[k] = sum;
}
