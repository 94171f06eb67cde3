/* SPDX-License-Identifier: Apache-2.0 */
/*
 * partition.cuh - what a block does with the points of one node.
 *
 * Each warp has a part of the points, neighbouring ones. It counts those of each quarter, 32 points at a time by
 * votes. When all warps' numbers are known, it moves its points behind those of the warps before it: so points of a
 * quarter stay in order. (CUDA's sample cdpQuadtree divides like this.)
 *
 *   BLOCK  threads of a block, whole warps.
 */
#ifndef QUADTREE_PARTITION_CUH
#define QUADTREE_PARTITION_CUH

#include "tree.cuh"

enum { WARPS = BLOCK / 32 };
static_assert(BLOCK % 32 == 0, "votes are of whole warps");

/* Which lanes have a point of which quarter. */
struct votes {
    unsigned of[4];

    __device__ __forceinline__ votes(bool there, unsigned quarter)
    {
        unsigned all = __ballot_sync(0xffffffffu, there);
        unsigned right = __ballot_sync(0xffffffffu, there && (quarter & 1));
        unsigned upper = __ballot_sync(0xffffffffu, there && (quarter & 2));
        of[0] = all & ~right & ~upper;
        of[1] = right & ~upper;
        of[2] = upper & ~right;
        of[3] = right & upper;
    }
};

/* Points of each quarter in each warp's part, then where they go. */
static __device__ __forceinline__ uint4 place_quarters(unsigned (&places)[WARPS][4])
{
    __shared__ uint4 counts;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sums[5] = {};
        for (int q = 0; q < 4; q++) {
            sums[q + 1] = sums[q];
            for (int w = 0; w < WARPS; w++) {
                unsigned count = places[w][q];
                places[w][q] = sums[q + 1];
                sums[q + 1] += count;
            }
        }
        counts = make_uint4(sums[1], sums[2] - sums[1], sums[3] - sums[2], sums[4] - sums[3]);
    }
    __syncthreads();
    return counts;
}

/* `count` points of a node at `level`, by quarters; how many there are of each. By all threads of a block. */
static __device__ __forceinline__ uint4 divide_points(const float2 *__restrict__ from, float2 *__restrict__ to,
                                                      unsigned count, int level)
{
    __shared__ unsigned places[WARPS][4];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned part = (count - 1) / BLOCK + 1; /* of a thread */
    unsigned first = min(warp * 32 * part, count), end = min(first + 32 * part, count);
    unsigned next[4] = {};
    for (unsigned i = first; i < end; i += 32) {
        bool there = i + lane < end;
        votes own(there, there ? quarter_of(from[i + lane], level) : 0);
#pragma unroll
        for (int q = 0; q < 4; q++)
            next[q] += __popc(own.of[q]);
    }
    if (lane == 0)
        for (int q = 0; q < 4; q++)
            places[warp][q] = next[q];
    uint4 counts = place_quarters(places);
#pragma unroll
    for (int q = 0; q < 4; q++)
        next[q] = places[warp][q];
    for (unsigned i = first; i < end; i += 32) {
        bool there = i + lane < end;
        float2 point = there ? from[i + lane] : make_float2(0.0f, 0.0f);
        unsigned quarter = quarter_of(point, level);
        votes own(there, quarter);
#pragma unroll
        for (int q = 0; q < 4; q++) {
            if (there && quarter == q)
                to[next[q] + __popc(own.of[q] & ((1u << lane) - 1))] = point;
            next[q] += __popc(own.of[q]);
        }
    }
    return counts;
}

/* The low 16 bits, each with a 0 before it. */
static __device__ __forceinline__ unsigned spread(unsigned bits)
{
    bits = (bits | bits << 8) & 0x00ff00ffu;
    bits = (bits | bits << 4) & 0x0f0f0f0fu;
    bits = (bits | bits << 2) & 0x33333333u;
    return (bits | bits << 1) & 0x55555555u;
}

/*
 * The points of a leaf, where they stay. At the last level they are in order; above, a point goes behind all that
 * have a cell before its own, or the same cell and came before it. By all threads of a block.
 */
static __device__ __forceinline__ void settle_points(const float2 *__restrict__ from, float2 *__restrict__ to,
                                                     unsigned count, int level)
{
    __shared__ unsigned cells[CAPACITY];
    if (level == DEPTH) {
        for (unsigned i = threadIdx.x; i < count; i += BLOCK)
            to[i] = from[i];
        return;
    }
    for (unsigned i = threadIdx.x; i < count; i += BLOCK)
        cells[i] = spread(cell_of(from[i].x)) | spread(cell_of(from[i].y)) << 1;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += BLOCK) {
        unsigned before = 0;
        for (unsigned j = 0; j < count; j++)
            before += cells[j] < cells[i] || (cells[j] == cells[i] && j < i);
        to[before] = from[i];
    }
}

#endif
