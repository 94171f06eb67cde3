/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cascade.cu - a reduction of n floats, with several loads per thread before the tree (algorithm cascading).
 *
 * Each thread first accumulates ITEMS vectors of VECTOR values in a register and only then enters the tree of
 * interleaved.cu. Most operations need no partner, no barrier and no shared memory any more; a thread's loads are
 * independent and in flight together, which saturates memory; and there are fewer blocks and partial results.
 *
 *   BLOCK   threads per block.          FINISH  two_pass, atomic or last; see passes.cuh.
 *   ITEMS   vectors per thread.         UNROLL  of which so many are in flight at once.
 *   VECTOR  floats per load.
 *
 * Limit: memory bandwidth, or close to it. What remains are the tree's instructions; see unrolled.cu to shuffle.cu.
 */
#include "tree.cuh"
