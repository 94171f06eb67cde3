/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile_outputs.cu - 1-D convolution, strategy 1: the threads of a block stand for its outputs.
 *
 * A block's BLOCK * OUTPUTS outputs need MASK_WIDTH - 1 inputs more, so the threads load them to shared memory in
 * several steps, the last of which only some take part in, with zeros for what lies outside of the signal. After that
 * all threads compute, without a test.
 *
 *   BLOCK    threads of a block.
 *   OUTPUTS  outputs a thread computes, BLOCK apart: neighbouring threads read neighbouring words of shared memory.
 *   UNROLL   values of the mask written out.
 *
 * Limit: a load from shared memory for each multiply-add.
 */
#include "mask.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

#define TILE (BLOCK * OUTPUTS)

__shared__ float tile[TILE + MASK_WIDTH - 1];

__global__ void __launch_bounds__(BLOCK)
    convolve(const float *__restrict__ input, float *__restrict__ output, int n)
{
    int first = blockIdx.x * TILE;
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        tile[threadIdx.x + o * BLOCK] = value_at(input, first + threadIdx.x + o * BLOCK - RADIUS, n);
    for (int i = threadIdx.x + TILE; i < TILE + MASK_WIDTH - 1; i += BLOCK)
        tile[i] = value_at(input, first + i - RADIUS, n);
    __syncthreads();
    float sum[OUTPUTS];
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        sum[o] = 0.0f;
#pragma unroll unroll
    for (int j = 0; j < MASK_WIDTH; j++)
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++)
            sum[o] += mask[j] * tile[threadIdx.x + o * BLOCK + j];
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        if (first + (int)threadIdx.x + o * BLOCK < n)
            output[first + threadIdx.x + o * BLOCK] = sum[o];
}
