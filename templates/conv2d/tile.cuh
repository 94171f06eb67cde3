/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile.cuh - shared by the variants that keep a tile with its halo in shared memory: the sums of a thread from it.
 *
 * A thread computes OUTPUTS rows, one below the other. With the loops over the mask written out, the compiler sees
 * that the value below one output is the value beside the next, and loads it once: MASK_WIDTH + OUTPUTS - 1 loads of
 * a column serve OUTPUTS * MASK_WIDTH multiply-adds.
 */
#ifndef CONV2D_TILE_CUH
#define CONV2D_TILE_CUH

#include "mask.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

/* The value at tile[y][x] is above and left of the first output, RADIUS rows and columns away. */
template <int PITCH>
static __device__ __forceinline__ void sum_from_tile(float (&sum)[OUTPUTS], const float (*tile)[PITCH], int y, int x)
{
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        sum[o] = 0.0f;
#pragma unroll unroll
    for (int i = 0; i < MASK_WIDTH; i++)
#pragma unroll unroll
        for (int j = 0; j < MASK_WIDTH; j++)
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++)
                sum[o] += mask[i][j] * tile[y + o + i][x + j];
}

static __device__ __forceinline__ void store_column(float *__restrict__ output, const float (&sum)[OUTPUTS], int row,
                                                    int column, int height, int width)
{
    if (column >= width)
        return;
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        if (row + o < height)
            output[(size_t)(row + o) * width + column] = sum[o];
}

#endif
