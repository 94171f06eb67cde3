/* SPDX-License-Identifier: Apache-2.0 */
/*
 * split.cuh - shared by the variants with several queries a thread: which queries and points a thread has, and how the
 * results for parts of the points come together.
 *
 * With several queries a thread there are fewer threads, too few for a GPU unless there are very many points. So the
 * points are split into SPLIT parts, a row of blocks for each, and a second kernel takes the best of the parts. A
 * block's finding for a query and a part is 64 bits wide: those of a number, in an order like that of numbers, above
 * the index of a point or of a chunk of points. The least finding is then the nearest, and of those at the same
 * distance the one with the lowest index.
 */
#ifndef NEAREST_NEIGHBOR_SPLIT_CUH
#define NEAREST_NEIGHBOR_SPLIT_CUH

#include "distance.cuh"

typedef unsigned long long finding;

/* The greater a number (but for a negative zero), the greater this: negative ones have all bits inverted. */
static __device__ __forceinline__ unsigned ordered_bits(float number)
{
    int bits = __float_as_int(number);
    return (unsigned)(bits ^ (bits >> 31 | (int)0x80000000));
}

static __device__ __forceinline__ finding make_finding(float number, int index)
{
    return (finding)ordered_bits(number) << 32 | (unsigned)index;
}

/* A thread's queries are 32 apart, and those of a warp are neighbours. */
static __device__ __forceinline__ int first_query_of_warp()
{
    return (blockIdx.x * BLOCK + threadIdx.x / 32 * 32) * QUERIES;
}

/* The part of a block: tiles from `begin` to before `end`. */
struct part {
    int begin, end;
};

static __device__ __forceinline__ part part_of_block(int count)
{
    int tiles = (count + TILE - 1) / TILE;
    return {(int)((long long)tiles * blockIdx.y / SPLIT), (int)((long long)tiles * (blockIdx.y + 1) / SPLIT)};
}

static __device__ __forceinline__ finding least_finding(const finding *__restrict__ findings, int query)
{
    finding least = findings[(size_t)query * SPLIT];
#pragma unroll
    for (int s = 1; s < SPLIT; s++)
        least = min(least, findings[(size_t)query * SPLIT + s]);
    return least;
}

#endif
