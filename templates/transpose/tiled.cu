/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiled.cu - B = transposed A through a tile in shared memory.
 *
 * The rows of a tile are read along A and its columns are written along B, so both global accesses are coalesced. The
 * transposition happens in shared memory, where a stride costs no transactions but bank conflicts: the words of a
 * column of the tile are TILE_X apart, and with TILE_X = 32 all of them are in the same bank. The tile need not be
 * square.
 *
 *   TILE_X, TILE_Y  columns and rows of A per tile, one element per thread (ITEMS = 1).
 *
 * Limit: up to 32-way bank conflicts when columns are read; padded.cu and swizzled.cu remove them.
 */
#define TILE_WIDTH TILE_X
#define TILE_PLACE(row, column) (column)
#include "tile.cuh"
#include "tile_order.cuh"
