/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tile_order.cuh - the order in which blocks take the tiles of A.
 *
 * With RASTER at most 1, or not defined, it is row-major: the blocks that run at the same time read whole rows of A,
 * but write a short piece to each of many rows of B, which are far apart. With RASTER tile rows to a band, tiles are
 * taken column by column within a band, and pieces of a row of B follow each other. If the band is as tall as the
 * matrix, B is written from one end to the other, and it is the reads that are scattered. Both ways the same bytes are
 * moved, but memory minds scattered writes more, probably because a page of the chips is opened again for each piece:
 * for 16384 x 16384 on an H200, bands of 1, 32, 64, 128 and 256 tiles of 64 rows take 528, 530, 525, 518 and 517 us, a
 * copy 502.
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
