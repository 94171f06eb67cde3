/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coarsened_interleaved.cu - the electrostatic potential on a grid, COARSEN points per thread, BLOCK_X apart.
 *
 * The arithmetic of coarsened_adjacent.cu, but neighbouring threads own neighbouring points, so that every load and
 * store of energies is coalesced. Only the assignment of points to threads differs.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along x and y.        COARSEN  points per thread.
 *   CHUNK             atoms in constant memory at a time.     UNROLL   unroll factor of the loop over atoms.
 *   PADDED            1: the grid is a whole number of blocks.
 *
 * Limit: instructions. The special function units have one root per pair, 16 per cycle and multiprocessor, and in
 * that time eight instructions can be issued for it; here are nearly as many, three of them in case rsqrtf is asked
 * for the root of a denormal number. tiled.cu has half.
 */
#define FIRST (blockIdx.x * (BLOCK_X * COARSEN) + threadIdx.x)
#define STEP BLOCK_X
#include "coarsened.cuh"
