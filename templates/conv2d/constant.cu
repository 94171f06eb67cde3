/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant.cu - 2-D convolution, a thread an output: naive.cu with the mask in constant memory.
 *
 * All threads need the same value of the mask at the same time, which is what the constant cache is made for. With the
 * loops written out it is an operand of the multiply-add, and half of the loads are gone.
 *
 *   TILE_X, TILE_Y  threads of a block along x and y.
 *   OUTPUTS         rows a thread computes, one below the other: a value of the mask serves them all, and more loads
 *                   are under way.
 *   UNROLL          rows and columns of the mask written out.
 *
 * Limit: MASK_WIDTH * MASK_WIDTH loads for an output, each with a test.
 */
#include "mask.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void convolve(const float *__restrict__ input, float *__restrict__ output, int height, int width)
{
    int column = blockIdx.x * TILE_X + threadIdx.x;
    int row = (blockIdx.y * TILE_Y + threadIdx.y) * OUTPUTS;
    if (row >= height || column >= width)
        return;
    float sum[OUTPUTS];
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        sum[o] = 0.0f;
#pragma unroll unroll
    for (int i = 0; i < MASK_WIDTH; i++)
#pragma unroll unroll
        for (int j = 0; j < MASK_WIDTH; j++)
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++)
                sum[o] += mask[i][j] *
                          value_at(input, row + o + i - RADIUS, column + j - RADIUS, height, width);
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        if (row + o < height)
            output[(size_t)(row + o) * width + column] = sum[o];
}
