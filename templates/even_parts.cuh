/* SPDX-License-Identifier: Apache-2.0 */
/*
 * even_parts.cuh - sums over `terms` terms for each of `tiles` tiles, divided among the blocks of a grid.
 *
 *   SPREAD  0: a block for each tile, with all of its terms. The last blocks leave part of the device idle: of 128
 *              blocks on 132 multiprocessors 3 %, of the last wave of many blocks on average half of it.
 *           n: the grid is n blocks for each multiprocessor, whatever the size, and each takes an equal share of all
 *              terms of all tiles, to the term: the end of one tile, whole tiles, the beginning of another. A tile that
 *              is not whole is added to memory atomically, so memory must be zero before. (Osama et al., "Stream-K:
 *              work-centric parallel decomposition for dense matrix-matrix multiplication on the GPU", 2023.)
 */
#ifndef EVEN_PARTS_CUH
#define EVEN_PARTS_CUH

struct part {
    int tile, first, last; /* terms first to last - 1 */
    bool whole;
};

/* What is left of a block's share, as terms numbered through all tiles. */
struct share {
    long long next, end;
    int terms;
};

static __device__ __forceinline__ share block_share(int tiles, int terms)
{
    share own;
    own.terms = terms;
#if SPREAD
    long long all = (long long)tiles * terms, rest = all % gridDim.x;
    own.next = all / gridDim.x * blockIdx.x + min((long long)blockIdx.x, rest);
    own.end = own.next + all / gridDim.x + (blockIdx.x < rest);
#else
    own.next = (long long)blockIdx.x * terms;
    own.end = own.next + terms;
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
    next.tile = blockIdx.x;
    next.first = 0;
    next.last = own.terms;
    next.whole = true;
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
