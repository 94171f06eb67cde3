/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kogge_stone.cu - a prefix sum in sections of one value a thread, each scanned after Kogge and Stone.
 *
 *   BLOCK   threads of a block, and values of a section: a power of two.
 *   ITEMS and VECTOR are 1.
 *
 * Limit: barriers, two a step; nearly every thread adds in every step. Across sections see three_kernels.cuh.
 */
#include "kogge_stone.cuh"
#define SECTION BLOCK
#include "whole_section.cuh"

#include "three_kernels.cuh"
