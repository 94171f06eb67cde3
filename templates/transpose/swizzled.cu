/* SPDX-License-Identifier: Apache-2.0 */
/*
 * swizzled.cu - B = transposed A, the rows of the tile permuted instead of padded.
 *
 * Element (row, column) of the tile is kept at place column ^ (row % TILE_X) of its row. For a power of two TILE_X that is
 * a permutation of each row, a warp along a row still meets every bank once, and so does a warp down a column, since the
 * exclusive-or differs from row to row. No word of shared memory is wasted and every row stays aligned.
 *
 *   TILE_X, TILE_Y  columns and rows of A in a tile; TILE_X a power of two.
 *   ITEMS           elements a thread moves.
 *
 * Limit: as unrolled.cu, memory bandwidth; an exclusive-or a store against a few bytes a row.
 */
#define TILE_WIDTH TILE_X
#define TILE_PLACE(row, column) ((column) ^ ((row) % TILE_X))
#include "tile_order.cuh"
