/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interleaved.cu - sum of n floats, adding pairs that are half a block apart.
 *
 * The stride decreases instead of increasing: thread t adds the value at t + stride. The active threads are the first
 * ones and read neighbouring words, so there are no bank conflicts, and only the last five steps diverge.
 *
 *   BLOCK   threads per block.          FINISH  two_pass or atomic; see passes.cuh.
 *   ITEMS and VECTOR are 1.
 *
 * Limit: every thread loads one value, and half of them never add. Too few loads are in flight to saturate memory,
 * and the log2(BLOCK) barriers of a block are spent on only BLOCK values.
 */
#include "tree.cuh"
