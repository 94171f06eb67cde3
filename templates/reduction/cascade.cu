/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cascade.cu - sum of n floats, several loads a thread before the tree (algorithm cascading).
 *
 * Each thread first adds ITEMS vectors of VECTOR values in a register and only then enters the tree of interleaved.cu.
 * Most additions need no partner, no barrier and no shared memory any more; the loads of a thread do not depend on each
 * other and are in flight together, which is what memory bandwidth wants; and there are fewer blocks and partial sums.
 *
 *   BLOCK   threads of a block.         FINISH  two_pass or atomic; see passes.cuh.
 *   ITEMS   vectors a thread loads.     VECTOR  floats of a load.
 *
 * Limit: memory bandwidth, or close to it; what remains is the tree's instructions, see unrolled.cu and shuffle.cu.
 */
#include "tree.cuh"
