/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_items.cuh - two runs in shared memory become one in the registers of a block, and go to memory from there: a
 * step of block_sort.cuh, path.cu and four_way.cu.
 *
 * The first run rises, and the second one falls behind it, so that their greatest elements are neighbours. When one
 * of them is used up, its end goes on into the greatest of the other one, which are not before any that is left:
 * nobody has to ask where a run ends. With equal keys that may take elements of the second run from its far end,
 * which shows in values; there whoever has left the first run only takes what is less.
 *
 * A thread makes an odd number of neighbouring elements, or every 32nd word is left out, so that a warp reads and
 * writes its elements without bank conflicts. Which elements of the runs they are depends on the keys: there 3.5 of
 * 32 lanes meet in a bank on average.
 */
#ifndef MERGE_SORT_MERGE_ITEMS_CUH
#define MERGE_SORT_MERGE_ITEMS_CUH

#include "corank.cuh"

/* Where elements lie of which a thread makes ITEMS. */
template <int ITEMS_> struct tile_places {
    static __device__ __forceinline__ int of(int i)
    {
        return ITEMS_ % 2 ? i : i + i / (32 / WORDS);
    }
};

/* Of a block, or if that is enough of a warp. */
static __device__ __forceinline__ void tile_barrier(bool block)
{
    if (block)
        __syncthreads();
    else
        __syncwarp();
}

/* The elements of a thread to shared memory, as part of a run that rises, or falls, from place `to` on. */
template <int COUNT>
static __device__ __forceinline__ void put_items(element *room, int to, bool falls, const element (&items)[COUNT])
{
    const int step = falls ? -1 : 1;
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        room[tile_places<COUNT>::of(to + step * i)] = items[i];
}

/*
 * COUNT elements of the merge from the k-th one on: of a, that rises from place `a` on, and of b, that falls from
 * place `b` on. There are as many.
 */
template <int COUNT>
static __device__ __forceinline__ void merge_items(const element *room, int a, int a_length, int b, int b_length,
                                                   int k, element (&items)[COUNT])
{
    typedef tile_places<COUNT> places;
    const int taken = corank(
        k, [=](int i) { return key_of(room[places::of(a + i)]); }, a_length,
        [=](int j) { return key_of(room[places::of(b - j)]); }, b_length);
    const int a_end = a + a_length;
    a += taken;
    b -= k - taken;
    element from_a = room[places::of(a)], from_b = room[places::of(b)];
#pragma unroll
    for (int i = 0; i < COUNT; i++) {
        bool first = WORDS == 1 || a < a_end ? key_of(from_a) <= key_of(from_b) : key_of(from_a) < key_of(from_b);
        items[i] = choose(first, from_a, from_b);
        if (i + 1 == COUNT)
            break;
        if (first)
            from_a = room[places::of(++a)];
        else
            from_b = room[places::of(--b)];
    }
}

/* VECTOR neighbouring elements in shared memory, and words in memory. */
struct element_vector {
    alignas(4 * WORDS * VECTOR < 16 ? 4 * WORDS * VECTOR : 16) element e[VECTOR];
};

struct word_vector {
    alignas(4 * VECTOR) unsigned words[VECTOR];
};

/*
 * The elements of all threads, each with neighbouring ones, to memory from `first` on, the first `count` of them: by
 * way of shared memory, which nobody may use any more, so that neighbouring threads store neighbouring vectors.
 * `first` is a multiple of VECTOR.
 */
template <int THREADS, int COUNT>
static __device__ __forceinline__ void store_tile(element *room, const element (&items)[COUNT], const output &to,
                                                  unsigned first, unsigned count)
{
    typedef tile_places<COUNT> places;
    static_assert(VECTOR == 1 || COUNT % 2, "vectors lie in one piece");
    const int thread = threadIdx.x;
#pragma unroll
    for (int i = 0; i < COUNT; i++)
        room[places::of(thread * COUNT + i)] = items[i];
    __syncthreads();
#if VECTOR > 1
    const unsigned whole = count - count % VECTOR;
#pragma unroll
    for (int vector = 0; VECTOR * vector < COUNT; vector++) {
        const unsigned i = VECTOR * (vector * THREADS + thread);
        if (i >= whole)
            continue;
        element_vector v = *(const element_vector *)(room + i);
        word_vector words;
#pragma unroll
        for (int j = 0; j < VECTOR; j++)
            words.words[j] = key_of(v.e[j]);
        *(word_vector *)(to.keys + first + i) = words;
#if WORDS == 2
#pragma unroll
        for (int j = 0; j < VECTOR; j++)
            words.words[j] = v.e[j].y;
        *(word_vector *)(to.values + first + i) = words;
#endif
    }
    if (whole + thread < count)
        to.put(first + whole + thread, room[places::of(whole + thread)]);
#else
#pragma unroll
    for (int vector = 0; vector < COUNT; vector++) {
        const unsigned i = vector * THREADS + thread;
        if (i < count)
            to.put(first + i, room[places::of(i)]);
    }
#endif
}

#endif
