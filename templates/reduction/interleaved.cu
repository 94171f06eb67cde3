/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interleaved.cu - sum of n floats, pairs half a block apart.
 *
 * The stride goes down instead of up: thread t adds the value at t + stride. The working threads are the first ones and
 * read neighbouring words, so there is neither divergence (but in the last five steps) nor a bank conflict.
 *
 *   BLOCK   threads of a block.         FINISH  two_pass or atomic; see passes.cuh.
 *   ITEMS and VECTOR are 1.
 *
 * Limit: every thread loads one value and half of them never add any; loads in flight are too few to fill the memory
 * pipeline, and a block's log2(BLOCK) barriers are paid for BLOCK values only.
 */
#include "tree.cuh"
