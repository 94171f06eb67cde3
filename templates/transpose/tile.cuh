/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile.cuh - the copy through a shared tile, common to all tiled variants.
 *
 * A block of TILE_X x (TILE_Y / ITEMS) threads reads TILE_Y rows of TILE_X elements of A and writes TILE_X rows of
 * TILE_Y elements of B; each thread moves ITEMS elements. The variant defines TILE_WIDTH, the length of a row of the
 * tile in shared memory, TILE_PLACE(row, column), an element's position in its row, and block_tile(), which tile of A
 * a block takes.
 */
#ifndef TRANSPOSE_TILE_CUH
#define TRANSPOSE_TILE_CUH

#include "tile_index.cuh"

#define THREADS (TILE_X * TILE_Y / ITEMS)

__global__ void __launch_bounds__(THREADS)
    transpose(const float *__restrict__ a, float *__restrict__ b, int rows, int columns)
{
    __shared__ float tile[TILE_Y][TILE_WIDTH];

    tile_index at = block_tile((columns + TILE_X - 1) / TILE_X, (rows + TILE_Y - 1) / TILE_Y);
    int row0 = at.y * TILE_Y;
    int column0 = at.x * TILE_X;

    /* Read: a warp runs along a row of A. */
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int y = threadIdx.y + i * (TILE_Y / ITEMS);
        int x = threadIdx.x;
        if (row0 + y < rows && column0 + x < columns)
            tile[y][TILE_PLACE(y, x)] = a[(size_t)(row0 + y) * columns + column0 + x];
    }
    __syncthreads();

    /* Write: the same threads, renumbered, run along rows of B, which are columns of the tile. */
    int thread = threadIdx.y * TILE_X + threadIdx.x;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int index = thread + i * THREADS;
        int y = index % TILE_Y;
        int x = index / TILE_Y;
        if (row0 + y < rows && column0 + x < columns)
            b[(size_t)(column0 + x) * rows + row0 + y] = tile[y][TILE_PLACE(y, x)];
    }
}

#endif
