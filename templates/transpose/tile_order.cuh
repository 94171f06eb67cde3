/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile_order.cuh - the order in which blocks take the tiles of A.
 *
 * With RASTER at most 1, or not defined, it is row-major: the blocks that run at the same time read whole rows of A,
 * but write one short piece to each of many rows of B, which are far apart: every piece is in another page, of the
 * memory chips as of the address translation. With RASTER tile rows to a band, tiles are taken column by column within
 * a band. The blocks that run at the same time then cover some RASTER tiles in either direction, and what they read and
 * what they write both lie in long runs.
 */
#ifndef TRANSPOSE_TILE_ORDER_CUH
#define TRANSPOSE_TILE_ORDER_CUH

#include "tile_index.cuh"

static __device__ tile_index block_tile(int tiles_x, int tiles_y)
{
    tile_index at;
#if RASTER > 1
    int block = blockIdx.y * tiles_x + blockIdx.x;
    int band = block / (RASTER * tiles_x);
    int place = block - band * (RASTER * tiles_x);
    int height = min(RASTER, tiles_y - band * RASTER); /* the last band may be lower */
    at.x = place / height;
    at.y = band * RASTER + (place - at.x * height);
#else
    at.x = blockIdx.x;
    at.y = blockIdx.y;
#endif
    return at;
}

#endif
