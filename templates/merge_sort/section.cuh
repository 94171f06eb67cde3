/* SPDX-License-Identifier: Apache-2.0 */
/*
 * section.cuh - the part of a pair of runs that a block of tiled.cu or circular.cu merges, TILES tiles of the result
 * one after the other, and how its threads merge a tile in shared memory.
 *
 *   BLOCK  threads of a block.
 *   ITEMS  elements of the result that a thread makes in a tile, of BLOCK * ITEMS elements.
 *   TILES  tiles of a block. The more, the fewer co-ranks are looked for in global memory.
 */
#ifndef MERGE_SORT_SECTION_CUH
#define MERGE_SORT_SECTION_CUH

#include "corank.cuh"

#define TILE (BLOCK * ITEMS)

struct section {
    unsigned first;     /* where the result goes */
    unsigned a, a_left; /* what is left of the first run's part, and of the second's */
    unsigned b, b_left;

    __device__ __forceinline__ unsigned left() const
    {
        return a_left + b_left;
    }
    __device__ __forceinline__ void take(unsigned from_a, unsigned count)
    {
        first += count;
        a += from_a;
        a_left -= from_a;
        b += count - from_a;
        b_left -= count - from_a;
    }
};

/* The block's section; empty for the last ones of a short pair. Two threads look for its ends. */
static __device__ __forceinline__ section own_section(const unsigned *__restrict__ keys, unsigned n, unsigned run)
{
    __shared__ unsigned ranks[2];
    const unsigned sections = (2 * run - 1) / (TILE * TILES) + 1; /* of a pair of runs */
    const run_pair runs(blockIdx.x / sections, run, n);
    const unsigned begin = min(blockIdx.x % sections * (TILE * TILES), runs.length());
    const unsigned end = min(begin + TILE * TILES, runs.length());
    keys_from<unsigned> a = {keys + runs.first}, b = {keys + runs.b()};
    if (threadIdx.x < 2)
        ranks[threadIdx.x] = corank(threadIdx.x == 0 ? begin : end, a, runs.a_length, b, runs.b_length);
    __syncthreads();
    return {runs.first + begin, runs.first + ranks[0], ranks[1] - ranks[0], runs.b() + begin - ranks[0],
            end - begin - (ranks[1] - ranks[0])};
}

/*
 * A tile of `count` elements from the beginnings of both parts in shared memory, a(i) and b(j), to memory; returns
 * how many came from a. Two barriers.
 */
template <class A, class B>
static __device__ __forceinline__ unsigned merge_tile(const A &a, unsigned a_length, const B &b, unsigned b_length,
                                                      unsigned count, const output &to, unsigned first)
{
    __shared__ unsigned taken;
    const unsigned begin = min(threadIdx.x * ITEMS, count), end = min(begin + ITEMS, count);
    auto a_key = [&](unsigned i) { return key_of(a(i)); };
    auto b_key = [&](unsigned j) { return key_of(b(j)); };
    unsigned i = corank(begin, a_key, a_length, b_key, b_length), j = begin - i;
    for (unsigned k = begin; k < end; k++) {
        bool from_a = j == b_length || (i < a_length && a_key(i) <= b_key(j));
        to.put(first + k, from_a ? a(i) : b(j));
        i += from_a;
        j += !from_a;
    }
    if (begin < end && end == count)
        taken = i;
    __syncthreads();
    const unsigned from_a = taken;
    __syncthreads();
    return from_a;
}

#endif
