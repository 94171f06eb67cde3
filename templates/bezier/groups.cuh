/* SPDX-License-Identifier: Apache-2.0 */
/*
 * groups.cuh - a block's threads in groups, each of which computes the points of a curve at a time.
 *
 *   BLOCK   threads of a block.
 *   CURVES  curves of a block side by side, each by BLOCK / CURVES threads. 1: a block a curve.
 */
#ifndef BEZIER_GROUPS_CUH
#define BEZIER_GROUPS_CUH

#include "curve.cuh"

enum { GROUP = BLOCK / CURVES }; /* threads of a curve */
static_assert(BLOCK % CURVES == 0, "groups of a block are of one size");

/* The thread's share of a curve's points. */
static __device__ __forceinline__ void put_points(const curve &own, int count, float2 *__restrict__ to)
{
    for (int i = threadIdx.x % GROUP; i < count; i += GROUP)
        to[i] = point_of(own, i, count);
}

#endif
