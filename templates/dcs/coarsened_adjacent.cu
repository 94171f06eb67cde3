/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coarsened_adjacent.cu - the electrostatic potential on a grid, COARSEN neighbouring points of a row per thread.
 *
 * An atom read from constant memory, its dy and the sum of dy*dy and dz*dz serve COARSEN points: with 4 of them a
 * quarter of the constant reads and half of the arithmetic of slices.cu. But neighbouring threads now load and store
 * energies COARSEN words apart, which takes COARSEN times the transactions.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along x and y.        COARSEN  points per thread.
 *   CHUNK             atoms in constant memory at a time.     UNROLL   unroll factor of the loop over atoms.
 *   PADDED            1: the grid is a whole number of blocks.
 *
 * Limit: the uncoalesced energies; coarsened_interleaved.cu assigns the same points in another order.
 */
#define FIRST ((blockIdx.x * BLOCK_X + threadIdx.x) * COARSEN)
#define STEP 1
#include "coarsened.cuh"
