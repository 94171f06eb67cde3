/* SPDX-License-Identifier: Apache-2.0 */
/*
 * padded.cu - B = transposed A: tiled.cu with PAD unused words at the end of each row of the tile.
 *
 * With rows of TILE_X + PAD words the words of a column are in different banks: TILE_X + 1 is odd, so 32 of them hit
 * every bank once. For narrow tiles, where a warp spans several columns, a pad of 2 can be better.
 *
 *   TILE_X, TILE_Y  columns and rows of A per tile, one element per thread (ITEMS = 1).
 *   PAD             words added to each row of the tile.
 *
 * Limit: a thread has one load in flight and then waits at the barrier; unrolled.cu gives it several.
 */
#define TILE_WIDTH (TILE_X + PAD)
#define TILE_PLACE(row, column) (column)
#include "tile.cuh"
#include "tile_order.cuh"
