/* SPDX-License-Identifier: Apache-2.0 */
/*
 * even_parts.cuh - sums over `terms` terms for each of `tiles` tiles, divided among the blocks of a grid.
 *
 *   SPREAD  0: SPLIT blocks for each tile, each with an equal part of its terms. The last blocks leave part of the
 *              device idle: of 128 blocks on 132 multiprocessors 3 %, of the last wave of many on average half of it.
 *              More and shorter ones leave less, and blocks that end at different times keep all units busy.
 *           n: n blocks for each multiprocessor, whatever the size. Each takes an equal share of all terms of all
 *              tiles, to the term: the end of one tile, whole tiles, the beginning of another. (Osama et al.,
 *              "Stream-K: work-centric parallel decomposition for dense matrix-matrix multiplication on the GPU",
 *              2023.)
 *   SPLIT   parts of a tile, if SPREAD is 0.
 *
 *   MIN_BLOCKS  blocks that must fit on a multiprocessor, which limits the registers that the compiler uses. 0: it
 *               chooses. (It takes few then, since it knows nothing of the threads of a block.)
 *
 * A part of a tile that is not the whole of it is added to memory atomically, so memory must be zero before.
 */
#ifndef EVEN_PARTS_CUH
#define EVEN_PARTS_CUH

/* Whether tiles reach memory piece by piece. */
#define IN_PARTS (SPREAD > 0 || SPLIT > 1)

#if MIN_BLOCKS
#define BOUNDED(threads) __launch_bounds__(threads, MIN_BLOCKS)
#else
#define BOUNDED(threads)
#endif

struct part {
    int tile, first, last; /* terms first to last - 1 */
    bool whole;
};

/* What is left of a block's share, as terms numbered through all tiles. */
struct share {
    long long next, end;
    int terms, block;
};

/* `block`: its number among those that share the tiles. */
static __device__ __forceinline__ share block_share(int tiles, int terms, int block)
{
    share own;
    own.terms = terms;
    own.block = block;
#if SPREAD
    long long all = (long long)tiles * terms, rest = all % gridDim.x;
    own.next = all / gridDim.x * block + min((long long)block, rest);
    own.end = own.next + all / gridDim.x + (block < rest);
#else
    own.next = 0;
    own.end = 1;
#endif
    return own;
}

/* Takes the next part of one tile; false if there is none. All threads of a block get the same answer. */
static __device__ __forceinline__ bool take_part(share &own, part &next)
{
    if (own.next >= own.end)
        return false;
#if SPREAD
    next.tile = (int)(own.next / own.terms);
    next.first = (int)(own.next - (long long)next.tile * own.terms);
    next.last = (int)min((long long)own.terms, next.first + (own.end - own.next));
    next.whole = next.last - next.first == own.terms;
    own.next += next.last - next.first;
#else
    int length = (own.terms - 1) / SPLIT + 1;
    next.tile = own.block / SPLIT;
    next.first = min(own.block % SPLIT * length, own.terms);
    next.last = min(next.first + length, own.terms);
    next.whole = SPLIT == 1;
    own.next = own.end;
#endif
    return true;
}

/* The only sum is stored; one of several is added. */
static __device__ __forceinline__ void put_sum(float *sum, float value, bool only)
{
    if (only)
        *sum = value;
    else
        atomicAdd(sum, value);
}

#endif
