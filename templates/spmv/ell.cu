/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ell.cu - all rows padded to the longest, a thread a row. Neighbours load neighbours, and no row needs to know where
 * it begins.
 *
 *   BLOCK           threads of a block.
 *   UNROLL, STREAM  as rows.cuh has them.
 *   QUANTILE        100, so that the longest row fits.
 *
 * Limit: memory bandwidth, for the padding as well: rows times the longest row's length. A single long row is too much
 * for any memory.
 */
#include "ell.cuh"
