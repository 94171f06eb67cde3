/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halo_cached.cu - 2-D convolution, strategy 3: the tile without its halo in shared memory, the halo from the caches.
 *
 * The threads load exactly the inputs at their outputs. What an output needs beyond the tile is read from global
 * memory when it is needed: it belongs to the neighbouring tiles, whose blocks run at the same time, so that it is
 * likely to be in the L2 cache. Shared memory is smaller and loaded in one step without tests at the tile's edge, but
 * now there is a test for each multiply-add, and the threads near the edge diverge from the others.
 *
 *   TILE_X   outputs of a block along x, and its threads along x.
 *   TILE_Y   outputs of a block along y.
 *   OUTPUTS  rows a thread computes: a block has TILE_Y / OUTPUTS threads along y.
 *   UNROLL   rows and columns of the mask written out.
 *
 * Limit: the tests, and with a large mask most of the reads, are those of constant.cu.
 */
#include "tile.cuh"

#define THREADS_Y (TILE_Y / OUTPUTS)

__shared__ float tile[TILE_Y][TILE_X];

__global__ void __launch_bounds__(TILE_X *THREADS_Y)
    convolve(const float *__restrict__ input, float *__restrict__ output, int height, int width)
{
    int row0 = blockIdx.y * TILE_Y;
    int column = blockIdx.x * TILE_X + threadIdx.x;
    int y0 = threadIdx.y * OUTPUTS;
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        tile[y0 + o][threadIdx.x] = value_at(input, row0 + y0 + o, column, height, width);
    __syncthreads();
    float sum[OUTPUTS];
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        sum[o] = 0.0f;
#pragma unroll unroll
    for (int i = 0; i < MASK_WIDTH; i++) {
#pragma unroll unroll
        for (int j = 0; j < MASK_WIDTH; j++) {
            int x = (int)threadIdx.x + j - RADIUS;
#pragma unroll
            for (int o = 0; o < OUTPUTS; o++) {
                int y = y0 + o + i - RADIUS;
                bool in_tile = x >= 0 && x < TILE_X && y >= 0 && y < TILE_Y;
                float value = in_tile ? tile[y][x] : value_at(input, row0 + y, column + j - RADIUS, height, width);
                sum[o] += mask[i][j] * value;
            }
        }
    }
    store_column(output, sum, row0 + y0, column, height, width);
}
