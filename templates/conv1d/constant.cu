/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant.cu - 1-D convolution: naive.cu with the mask in constant memory.
 *
 * All threads need the same value of the mask at the same time, which is what the constant cache is made for: half of
 * the loads are gone.
 *
 *   BLOCK    threads of a block.
 *   OUTPUTS  outputs a thread computes, BLOCK apart, so that all accesses are coalesced.
 *   UNROLL   values of the mask written out.
 *
 * Limit: MASK_WIDTH loads for an output.
 */
#include "mask.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void convolve(const float *__restrict__ input, float *__restrict__ output, int n)
{
    int first = blockIdx.x * (BLOCK * OUTPUTS) + threadIdx.x;
    float sum[OUTPUTS];
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        sum[o] = 0.0f;
#pragma unroll unroll
    for (int j = 0; j < MASK_WIDTH; j++)
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++)
            sum[o] += mask[j] * value_at(input, first + o * BLOCK + j - RADIUS, n);
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        if (first + o * BLOCK < n)
            output[first + o * BLOCK] = sum[o];
}
