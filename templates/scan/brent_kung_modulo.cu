/* SPDX-License-Identifier: Apache-2.0 */
/*
 * brent_kung_modulo.cu - a prefix sum in sections of one value a thread, each scanned after Brent and Kung by the
 * threads whose values they are.
 *
 *   BLOCK   threads of a block, and values of a section: a power of two.
 *   ITEMS and VECTOR are 1.
 *
 * Limit: far fewer additions than kogge_stone.cu has, but no fewer warps at work on them. Twice the steps.
 */
#include "brent_kung.cuh"
#define SECTION BLOCK
template <int LENGTH> static __device__ __forceinline__ element *scan_in_place(element *values)
{
    return scan_tree<LENGTH, true>(values);
}
#include "whole_section.cuh"

#include "three_kernels.cuh"
