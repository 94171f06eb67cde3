/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile_inputs.cu - 2-D convolution, strategy 2: the threads of a block stand for its inputs.
 *
 * Each thread loads OUTPUTS inputs in a single step. The outputs are fewer by MASK_WIDTH - 1 along each side, so that
 * at the right and the lower edge of the block threads idle while the others compute: of 32 x 32 threads, 124 with a
 * mask of 3 x 3 and 700 with 15 x 15.
 *
 *   TILE_X   inputs of a block along x, and its threads along x; more than MASK_WIDTH - 1.
 *   TILE_Y   inputs of a block along y.
 *   OUTPUTS  inputs, and at most as many outputs, of a thread: a block has TILE_Y / OUTPUTS threads along y. Divides
 *            TILE_Y - MASK_WIDTH + 1, so that a thread has OUTPUTS outputs or none.
 *   UNROLL   rows and columns of the mask written out.
 *
 * Limit: as tile_outputs.cu, and the idle threads.
 */
#include "tile.cuh"

#define THREADS_Y (TILE_Y / OUTPUTS)
#define OUTPUTS_X (TILE_X - MASK_WIDTH + 1)
#define OUTPUTS_Y (TILE_Y - MASK_WIDTH + 1)

__shared__ float tile[TILE_Y][TILE_X];

__global__ void __launch_bounds__(TILE_X *THREADS_Y)
    convolve(const float *__restrict__ input, float *__restrict__ output, int height, int width)
{
    int row0 = blockIdx.y * OUTPUTS_Y;
    int column0 = blockIdx.x * OUTPUTS_X;
    int y = threadIdx.y * OUTPUTS;
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        tile[threadIdx.y + o * THREADS_Y][threadIdx.x] =
            value_at(input, row0 + threadIdx.y + o * THREADS_Y - RADIUS, column0 + threadIdx.x - RADIUS, height, width);
    __syncthreads();
    if (threadIdx.x >= OUTPUTS_X || y >= OUTPUTS_Y)
        return;
    float sum[OUTPUTS];
    sum_from_tile(sum, tile, y, threadIdx.x);
    store_column(output, sum, row0 + y, column0 + threadIdx.x, height, width);
}
