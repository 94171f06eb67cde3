/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile_inputs.cu - 1-D convolution, strategy 2: the threads of a block stand for its inputs.
 *
 * Each thread loads OUTPUTS inputs, and no step is left for a few of them. The block has MASK_WIDTH - 1 outputs fewer
 * than inputs, so that many threads have one output less to compute than the others.
 *
 *   BLOCK    threads of a block.
 *   OUTPUTS  inputs, and at most as many outputs, of a thread, BLOCK apart.
 *   UNROLL   values of the mask written out.
 *
 * Limit: as tile_outputs.cu. The threads that idle are few, in contrast to two dimensions.
 */
#include "mask.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

#define TILE (BLOCK * OUTPUTS)

__shared__ float tile[TILE];

__global__ void __launch_bounds__(BLOCK)
    convolve(const float *__restrict__ input, float *__restrict__ output, int n)
{
    int first = blockIdx.x * (TILE - MASK_WIDTH + 1);
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        tile[threadIdx.x + o * BLOCK] = value_at(input, first + threadIdx.x + o * BLOCK - RADIUS, n);
    __syncthreads();
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++) {
        int i = threadIdx.x + o * BLOCK;
        if (i >= TILE - MASK_WIDTH + 1 || first + i >= n)
            return;
        float sum = 0.0f;
#pragma unroll unroll
        for (int j = 0; j < MASK_WIDTH; j++)
            sum += mask[j] * tile[i + j];
        output[first + i] = sum;
    }
}
