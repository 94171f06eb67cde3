/* SPDX-License-Identifier: Apache-2.0 */
/*
 * path.cuh - path.cu's kernels: find_splits and merge.
 */
#ifndef MERGE_SORT_PATH_CUH
#define MERGE_SORT_PATH_CUH

#include "merge_items.cuh"

#define TILE (BLOCK * ITEMS)

/* A tile of the result of a pair of runs: `count` elements from `begin` on. */
struct pair_tile {
    run_pair runs;
    unsigned begin, count;

    /* `tiles`: of a pair. */
    __device__ __forceinline__ pair_tile(unsigned number, unsigned tiles, unsigned run, unsigned n)
        : runs(number / tiles, run, n)
    {
        begin = min(number % tiles * TILE, runs.length());
        count = min((unsigned)TILE, runs.length() - begin);
    }
};

#if PARTITION_before

/* How many of the elements before each tile come from the first run. */
__global__ void __launch_bounds__(64) find_splits(const unsigned *__restrict__ keys, unsigned *__restrict__ splits,
                                                  unsigned blocks, unsigned tiles, unsigned n, unsigned run)
{
    const unsigned number = blockIdx.x * 64 + threadIdx.x;
    if (number >= blocks)
        return;
    const pair_tile tile(number, tiles, run, n);
    keys_from<unsigned> a = {keys + tile.runs.first}, b = {keys + tile.runs.b()};
    splits[number] = corank(tile.begin, a, tile.runs.a_length, b, tile.runs.b_length);
}

static __device__ __forceinline__ uint2 tile_splits(const unsigned *__restrict__, const unsigned *__restrict__ splits,
                                                    const pair_tile &tile)
{
    bool last = tile.begin + tile.count == tile.runs.length();
    return make_uint2(splits[blockIdx.x], last ? tile.runs.a_length : splits[blockIdx.x + 1]);
}

#else

/* corank by a warp: each step divides what is left among 32 lanes, and keeps the part of one. */
static __device__ __forceinline__ unsigned warp_corank(unsigned k, keys_from<unsigned> a, unsigned a_length,
                                                       keys_from<unsigned> b, unsigned b_length)
{
    unsigned low = k > b_length ? k - b_length : 0, high = min(k, a_length);
    while (low < high) {
        const unsigned step = (high - low - 1) / 32 + 1, i = low + threadIdx.x % 32 * step;
        const bool more = i < high && a(i) <= b(k - 1 - i);
        const unsigned lanes = __popc(__ballot_sync(0xffffffffu, more)); /* the first ones */
        if (lanes < 32)
            high = min(high, low + lanes * step);
        if (lanes > 0)
            low += (lanes - 1) * step + 1;
    }
    return low;
}

static __device__ __forceinline__ uint2 tile_splits(const unsigned *__restrict__ keys, const unsigned *__restrict__,
                                                    const pair_tile &tile)
{
    __shared__ unsigned splits[2];
    const unsigned end = threadIdx.x / 32;
    keys_from<unsigned> a = {keys + tile.runs.first}, b = {keys + tile.runs.b()};
    if (end < 2) {
        unsigned split = warp_corank(tile.begin + end * tile.count, a, tile.runs.a_length, b, tile.runs.b_length);
        if (threadIdx.x % 32 == 0)
            splits[end] = split;
    }
    __syncthreads();
    return make_uint2(splits[0], splits[1]);
}

#endif

__global__ void __launch_bounds__(BLOCK)
    merge(const unsigned *__restrict__ keys, const unsigned *__restrict__ values, unsigned *__restrict__ to_keys,
          unsigned *__restrict__ to_values, const unsigned *__restrict__ splits, unsigned tiles, unsigned n,
          unsigned run)
{
    typedef tile_places<ITEMS> places;
    const input from = {keys, values};
    const pair_tile tile(blockIdx.x, tiles, run, n);
    if (tile.count == 0)
        return;
    const uint2 split = tile_splits(keys, splits, tile);
    const unsigned a_length = split.y - split.x;

    /* The first part rises in front, the second falls from the end on; between them what the tile lacks. */
    const unsigned b_begin = TILE - (tile.count - a_length);
    const unsigned from_a = tile.runs.first + split.x, from_b = tile.runs.b() + (tile.begin - split.x) + TILE - 1;
    element items[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned place = i * BLOCK + threadIdx.x, at = place < a_length ? from_a + place : from_b - place;
        items[i] = place < a_length || place >= b_begin ? from[at] : last_element();
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        room[places::of(i * BLOCK + threadIdx.x)] = items[i];
    __syncthreads();
    merge_items<ITEMS>(room, 0, a_length, TILE - 1, TILE - a_length, threadIdx.x * ITEMS, items);
    __syncthreads();
    store_tile<BLOCK, ITEMS>(room, items, {to_keys, to_values}, tile.runs.first + tile.begin, tile.count);
}

#endif
