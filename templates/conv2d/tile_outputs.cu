/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile_outputs.cu - 2-D convolution, strategy 1: the threads of a block stand for its outputs.
 *
 * A block's TILE_X x TILE_Y outputs need (TILE_X + MASK_WIDTH - 1) x (TILE_Y + MASK_WIDTH - 1) inputs. There are more
 * of these than threads, so the threads load them to shared memory in several steps, coalesced, with zeros for what
 * lies outside of the image. After that all threads compute, without a test.
 *
 *   TILE_X   outputs of a block along x, and its threads along x.
 *   TILE_Y   outputs of a block along y.
 *   OUTPUTS  rows a thread computes: a block has TILE_Y / OUTPUTS threads along y.
 *   UNROLL   rows and columns of the mask written out.
 *
 * Limit: loads from shared memory; a load that waits for memory, then a barrier, and no other work in between but that
 * of other blocks.
 */
#include "tile.cuh"

#define THREADS_Y (TILE_Y / OUTPUTS)
#define ROWS (TILE_Y + MASK_WIDTH - 1)
#define COLUMNS (TILE_X + MASK_WIDTH - 1)

__shared__ float tile[ROWS][COLUMNS];

__global__ void __launch_bounds__(TILE_X *THREADS_Y)
    convolve(const float *__restrict__ input, float *__restrict__ output, int height, int width)
{
    int row0 = blockIdx.y * TILE_Y;
    int column0 = blockIdx.x * TILE_X;
    for (int y = threadIdx.y; y < ROWS; y += THREADS_Y)
        for (int x = threadIdx.x; x < COLUMNS; x += TILE_X)
            tile[y][x] = value_at(input, row0 + y - RADIUS, column0 + x - RADIUS, height, width);
    __syncthreads();
    float sum[OUTPUTS];
    sum_from_tile(sum, tile, threadIdx.y * OUTPUTS, threadIdx.x);
    store_column(output, sum, row0 + threadIdx.y * OUTPUTS, column0 + threadIdx.x, height, width);
}
