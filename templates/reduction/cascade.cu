/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cascade.cu - sum of n floats, with several loads per thread before the tree (algorithm cascading).
 *
 * Each thread first accumulates ITEMS vectors of VECTOR values in a register and only then enters the tree of
 * interleaved.cu. Most additions need no partner, no barrier and no shared memory any more; a thread's loads are
 * independent and in flight together, which saturates memory; and there are fewer blocks and partial sums.
 *
 *   BLOCK   threads per block.          FINISH  two_pass or atomic; see passes.cuh.
 *   ITEMS   vectors per thread.         VECTOR  floats per load.
 *
 * Limit: memory bandwidth, or close to it. What remains are the tree's instructions; see unrolled.cu and shuffle.cu.
 */
#include "tree.cuh"
