/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive.cu - 2-D convolution, a thread an output: image and mask from global memory.
 *
 * A thread reads the MASK_WIDTH * MASK_WIDTH values around its output. Neighbouring threads read almost the same ones,
 * so that the caches deliver most of them; but each takes a load, and so does the mask's value that it is multiplied
 * with, and a test for the boundary.
 *
 *   TILE_X, TILE_Y  threads and outputs of a block along x and y.    UNROLL  values of a mask row written out.
 *
 * Limit: two loads for each multiply-add.
 */
#include "mask.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void convolve_naive(const float *__restrict__ input, const float *__restrict__ weights,
                               float *__restrict__ output, int height, int width)
{
    int column = blockIdx.x * TILE_X + threadIdx.x;
    int row = blockIdx.y * TILE_Y + threadIdx.y;
    if (row >= height || column >= width)
        return;
    float sum = 0.0f;
    for (int i = 0; i < MASK_WIDTH; i++) {
#pragma unroll unroll
        for (int j = 0; j < MASK_WIDTH; j++)
            sum += weights[i * MASK_WIDTH + j] *
                   value_at(input, row + i - RADIUS, column + j - RADIUS, height, width);
    }
    output[(size_t)row * width + column] = sum;
}
