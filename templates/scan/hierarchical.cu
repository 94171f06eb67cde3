/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hierarchical.cu - the three kernels on every level: the sections' totals are an input like any other, scanned in
 * sections by many blocks, and so are the totals of these, until a single block can hold what is left.
 *
 * No block walks through all totals any more while the others wait. A section is a tile in registers (tile.cuh):
 * elements pass shared memory twice, or not at all, and vectors take fewer instructions.
 *
 *   BLOCK, ITEMS, VECTOR, SCAN, PAD, STREAM   as tile.cuh has them.
 *
 * Limit: the second pass over the results; see three_kernels.cuh.
 */
#include "element.cuh"
extern __shared__ element corner[];
#include "tile.cuh"

#include "three_kernels.cuh"
