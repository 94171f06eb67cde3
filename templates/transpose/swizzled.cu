/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swizzled.cu - B = transposed A, with the rows of the tile permuted instead of padded.
 *
 * Element (row, column) of the tile is stored at position column ^ (row % TILE_X) of its row. If TILE_X is a power of
 * two this is a permutation of each row: a warp along a row still hits every bank once, and so does a warp down a
 * column, because the exclusive-or differs from row to row. No shared memory is wasted, and every row stays aligned.
 *
 *   TILE_X, TILE_Y  columns and rows of A per tile; TILE_X a power of two.
 *   ITEMS           elements per thread.
 *
 * Limit: memory bandwidth, as for unrolled.cu; it saves a few bytes per row for an exclusive-or per access.
 */
#define TILE_WIDTH TILE_X
#define TILE_PLACE(row, column) ((column) ^ ((row) % TILE_X))
#include "tile.cuh"
#include "tile_order.cuh"
