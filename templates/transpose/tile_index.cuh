/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile_index.cuh - which tile of A a block takes; the variant, or the order that it includes, defines block_tile().
 */
#ifndef TRANSPOSE_TILE_INDEX_CUH
#define TRANSPOSE_TILE_INDEX_CUH

struct tile_index {
    int x, y;
};

/* Of tiles_x x tiles_y tiles, each is taken by one block of a grid of that shape. */
static __device__ tile_index block_tile(int tiles_x, int tiles_y);

#endif
