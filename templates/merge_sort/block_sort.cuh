/* SPDX-License-Identifier: Apache-2.0 */
/*
 * block_sort.cuh - the runs to begin with: each block sorts as many elements as fit its registers.
 *
 * A thread sorts SORT_ITEMS neighbouring elements in registers. Then runs are merged in shared memory, those of two
 * threads, of four, ... until the block's are one: each thread makes SORT_ITEMS elements of the result
 * (merge_items.cuh). Every round is one pass through memory less.
 *
 *   SORT_BLOCK  threads of a block, a power of two.
 *   SORT_ITEMS  elements of a thread.
 *   SORT        transposition: neighbours that are out of order change places, in SORT_ITEMS rounds (odd-even
 *               transposition sort). Stable.
 *               network: Batcher's odd-even merge sort, with fewer comparisons: of 17 elements 74 instead of 136. Not
 *               stable, which does not show in keys alone.
 *   VECTOR      elements of a store. More than 1 needs odd SORT_ITEMS.
 *
 * Limit: the banks of shared memory, which each round reads at random: 3.5 of 32 lanes meet.
 */
#ifndef MERGE_SORT_BLOCK_SORT_CUH
#define MERGE_SORT_BLOCK_SORT_CUH

#include "merge_items.cuh"

#define SORT_TILE (SORT_BLOCK * SORT_ITEMS)

static __device__ __forceinline__ void exchange(element &first, element &second)
{
    bool wrong = key_of(second) < key_of(first);
    element least = choose(wrong, second, first);
    second = choose(wrong, first, second);
    first = least;
}

#if SORT_network
static_assert(WORDS == 1, "the network is not stable");

/* Of runs of RUN elements, those of pairs merged: elements DISTANCE apart change places, then half that, ... */
template <int RUN, int DISTANCE> static __device__ __forceinline__ void sort_runs(element (&items)[SORT_ITEMS])
{
    constexpr int first = DISTANCE % RUN;
#pragma unroll
    for (int i = first; i + DISTANCE < SORT_ITEMS; i++)
        if ((i - first) / DISTANCE % 2 == 0 && i / (2 * RUN) == (i + DISTANCE) / (2 * RUN))
            exchange(items[i], items[i + DISTANCE]);
    if constexpr (DISTANCE > 1)
        sort_runs<RUN, DISTANCE / 2>(items);
    else if constexpr (2 * RUN < SORT_ITEMS)
        sort_runs<2 * RUN, 2 * RUN>(items);
}

static __device__ __forceinline__ void sort_items(element (&items)[SORT_ITEMS])
{
    sort_runs<1, 1>(items);
}
#else
static __device__ __forceinline__ void sort_items(element (&items)[SORT_ITEMS])
{
#pragma unroll
    for (int round = 0; round < SORT_ITEMS; round++)
#pragma unroll
        for (int i = round % 2; i + 1 < SORT_ITEMS; i += 2)
            exchange(items[i], items[i + 1]);
}
#endif

__global__ void __launch_bounds__(SORT_BLOCK)
    sort_blocks(const unsigned *__restrict__ keys, const unsigned *__restrict__ values,
                unsigned *__restrict__ to_keys, unsigned *__restrict__ to_values, unsigned n)
{
    typedef tile_places<SORT_ITEMS> places;
    const input from = {keys, values};
    const unsigned first = blockIdx.x * SORT_TILE, count = min((unsigned)SORT_TILE, n - first);
    const int thread = threadIdx.x;

    /* Neighbouring threads load neighbouring elements, and take others of their own. */
    element items[SORT_ITEMS];
#pragma unroll
    for (int i = 0; i < SORT_ITEMS; i++) {
        const unsigned number = i * SORT_BLOCK + thread;
        items[i] = number < count ? from[first + number] : last_element();
    }
#pragma unroll
    for (int i = 0; i < SORT_ITEMS; i++)
        room[places::of(i * SORT_BLOCK + thread)] = items[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SORT_ITEMS; i++)
        items[i] = room[places::of(thread * SORT_ITEMS + i)];
    sort_items(items);

    for (int half = 1; half < SORT_BLOCK; half *= 2) {
        /* The runs of `half` threads each, the first rising, the second falling behind it. */
        const int group = thread & -(2 * half), base = group * SORT_ITEMS, length = half * SORT_ITEMS;
        const bool falls = thread & half;
        const int to = falls ? base + 2 * length - 1 - (thread - group - half) * SORT_ITEMS : thread * SORT_ITEMS;
        tile_barrier(half > 16);
        put_items(room, to, falls, items);
        tile_barrier(half > 16);
        merge_items<SORT_ITEMS>(room, base, length, base + 2 * length - 1, length, (thread - group) * SORT_ITEMS,
                                items);
    }
    tile_barrier(SORT_BLOCK > 32);
    store_tile<SORT_BLOCK, SORT_ITEMS>(room, items, {to_keys, to_values}, first, count);
}

#endif
