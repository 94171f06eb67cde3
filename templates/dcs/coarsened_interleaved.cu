/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coarsened_interleaved.cu - the electrostatic potential on a grid, COARSEN points a thread, BLOCK_X apart.
 *
 * The arithmetic of coarsened_adjacent.cu, but neighbouring threads own neighbouring points: every load and store of
 * energies is coalesced. Nothing is added or saved, only the points are dealt out differently.
 *
 *   BLOCK_X, BLOCK_Y  threads of a block along x and y.       COARSEN  points a thread computes.
 *   CHUNK             atoms in constant memory at a time.     UNROLL   atoms written out in the loop.
 *   PADDED            1: the grid has a whole number of blocks.
 *
 * Limit: the special function unit, one rsqrt for each pair, 16 a cycle and multiprocessor.
 */
#define FIRST (blockIdx.x * (BLOCK_X * COARSEN) + threadIdx.x)
#define STEP BLOCK_X
#include "coarsened.cuh"
