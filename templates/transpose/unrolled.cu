/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unrolled.cu - B = transposed A: padded.cu with ITEMS elements per thread.
 *
 * A thread moves ITEMS elements of a larger tile. Its loads are independent and all in flight before the one barrier,
 * and the index arithmetic is shared: the same number of bytes is in flight with fewer threads and barriers.
 *
 *   TILE_X, TILE_Y  columns and rows of A per tile.
 *   ITEMS           elements per thread, TILE_Y / ITEMS rows apart.
 *   PAD             words added to each row of the tile.
 *
 * Limit: memory bandwidth, as long as the rows of a tile have at least 32 elements (128 bytes) in both directions.
 */
#define TILE_WIDTH (TILE_X + PAD)
#define TILE_PLACE(row, column) (column)
#include "tile.cuh"
#include "tile_order.cuh"
