/* SPDX-License-Identifier: Apache-2.0 */
/*
 * double_buffered.cu - a prefix sum in sections of one value a thread, each scanned after Kogge and Stone between two
 * buffers: half the barriers of kogge_stone.cu.
 *
 *   BLOCK   threads of a block, and values of a section: a power of two.
 *   ITEMS and VECTOR are 1.
 *
 * Limit: n log2(n) additions of a section; a barrier a step. Across sections see three_kernels.cuh.
 */
#include "double_buffered.cuh"
#define SECTION BLOCK
#include "whole_section.cuh"

#include "three_kernels.cuh"
