/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unrolled.cu - B = transposed A, padded.cu with ITEMS elements a thread.
 *
 * A thread moves ITEMS elements of a larger tile. Its loads do not depend on each other and are all in flight before the
 * one barrier, and the index arithmetic is shared; the same bytes are under way with fewer threads and barriers.
 *
 *   TILE_X, TILE_Y  columns and rows of A in a tile.
 *   ITEMS           elements a thread moves, rows TILE_Y / ITEMS apart.
 *   PAD             words added to a row of the tile.
 *
 * Limit: memory bandwidth, as long as the rows of a tile are at least 32 elements (128 bytes) in both directions.
 */
#define TILE_WIDTH (TILE_X + PAD)
#define TILE_PLACE(row, column) (column)
#include "tile_order.cuh"
