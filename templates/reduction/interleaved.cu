/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interleaved.cu - a reduction of n floats, of pairs that are half a block apart.
 *
 * The stride decreases instead of increasing: thread t takes in the value at t + stride. The active threads are the
 * first ones and read neighbouring words, so there are no bank conflicts, and only the last five steps diverge.
 *
 *   BLOCK   threads per block.          FINISH  two_pass, atomic or last; see passes.cuh.
 *   ITEMS, UNROLL and VECTOR are 1.
 *
 * Limit: every thread loads one value, and half of them never combine any. Too few loads are in flight to saturate
 * memory, and the log2(BLOCK) barriers of a block are spent on only BLOCK values.
 */
#include "tree.cuh"
