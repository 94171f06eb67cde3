/* SPDX-License-Identifier: Apache-2.0 */
/*
 * brent_kung.cu - a prefix sum in sections of two values a thread, each scanned after Brent and Kung by the first
 * threads.
 *
 *   BLOCK   threads of a block, half the values of a section: a power of two.
 *   ITEMS is 2, VECTOR 1.
 *
 * Limit: threads that have retired still take their place on the multiprocessor; so the work done is less than
 * kogge_stone.cu's, but not the resources held. Bank conflicts, doubling with each step.
 */
#include "brent_kung.cuh"
#define SECTION (2 * BLOCK)
template <int LENGTH> static __device__ __forceinline__ element *scan_in_place(element *values)
{
    return scan_tree<LENGTH, false>(values);
}
#include "whole_section.cuh"

#include "three_kernels.cuh"
