/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile_order.cuh - blocks take the tiles of A in row-major order.
 */
#ifndef TRANSPOSE_TILE_ORDER_CUH
#define TRANSPOSE_TILE_ORDER_CUH

#include "tile.cuh"

static __device__ tile_index block_tile(int tiles_x, int tiles_y)
{
    tile_index at;
    at.x = blockIdx.x;
    at.y = blockIdx.y;
    return at;
}

#endif
