/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bits.cuh - sets of vertices, a bit each.
 */
#ifndef BFS_BITS_CUH
#define BFS_BITS_CUH

#include "levels.cuh"

/* Of a set that nobody changes meanwhile. */
static __device__ __forceinline__ bool has_bit(const unsigned *set, int v)
{
    return set[v / 32] >> v % 32 & 1;
}

/* Set the bit of v. Of all threads that try, one is told that it did; those that come late cost no atomic. */
static __device__ __forceinline__ bool claim_bit(unsigned *set, int v)
{
    unsigned bit = 1u << v % 32;
    if ((unsigned)peek((const int *)&set[v / 32]) & bit)
        return false;
    return !(atomicOr(&set[v / 32], bit) & bit);
}

#endif
