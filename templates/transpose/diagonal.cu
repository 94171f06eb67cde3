/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diagonal.cu - B = transposed A: unrolled.cu with the blocks running along the diagonals of the matrix.
 *
 * Blocks that run at the same time have neighbouring numbers. In row order they read along a row of tiles of A and
 * write down a column of tiles of B. For the usual sizes those addresses are a large power of two apart and can hit
 * the same few memory channels (partition camping). Numbered along diagonals, neighbouring blocks differ in both row
 * and column of tiles. On GPUs that hash addresses over the channels the gain is small, but it costs next to nothing.
 *
 *   TILE_X, TILE_Y  columns and rows of A per tile.
 *   ITEMS           elements per thread.
 *   PAD             words added to each row of the tile.
 *
 * Limit: memory bandwidth.
 */
#define TILE_WIDTH (TILE_X + PAD)
#define TILE_PLACE(row, column) (column)
#include "tile.cuh"

/* Block (x, y) takes tile row (x + y) mod tiles_y of tile column x: every tile once, whatever the shape. */
static __device__ tile_index block_tile(int tiles_x, int tiles_y)
{
    tile_index at;
    at.x = blockIdx.x;
    at.y = (blockIdx.x + blockIdx.y) % tiles_y;
    return at;
}
