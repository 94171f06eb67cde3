/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group_bins.cuh - a private copy of the bins for each group of threads, in the block's shared memory, as in group.cu
 * and both.cu.
 *
 *   GROUP    threads that share a copy; a block has BLOCK / GROUP copies.
 *   MEMBERS  neighbours: a group's threads are neighbours, and lanes of a warp wait for each other.
 *            spread: they are BLOCK / GROUP apart. With 32 copies or more every lane of a warp has one of its own.
 *   LAYOUT   apart: copy behind copy, PAD words between them. With PAD = 0 a bin lies in the same bank in every copy.
 *            interleaved: bin behind bin, each of all copies. With 32 copies each has a bank of its own, so `spread`
 *            lanes never meet in a bank, whatever the samples: an addition of a warp takes one clock.
 *   PAD      see there.
 */
#ifndef HISTOGRAM_GROUP_BINS_CUH
#define HISTOGRAM_GROUP_BINS_CUH

#include "samples.cuh"

/* The copies, their words, and the distances between copies and between the bins of a copy. */
#define COPIES_OF_BLOCK (BLOCK / GROUP)
#if LAYOUT_interleaved
#define COPY_STRIDE 1
#define BIN_STRIDE  COPIES_OF_BLOCK
#else
#define COPY_STRIDE (BINS + PAD)
#define BIN_STRIDE  1
#endif
#define COPY_WORDS (COPIES_OF_BLOCK * (BINS + PAD))

struct group_bins {
    unsigned *own;

    __device__ __forceinline__ void add(unsigned bin, unsigned count)
    {
        atomicAdd(own + bin * BIN_STRIDE, count);
    }
};

/* By all threads; returns when all copies are clear. */
static __device__ __forceinline__ group_bins clear_bins(unsigned *shared)
{
    for (int i = threadIdx.x; i < COPY_WORDS; i += BLOCK)
        shared[i] = 0;
    __syncthreads();
#if MEMBERS_spread
    return {shared + threadIdx.x % COPIES_OF_BLOCK * COPY_STRIDE};
#else
    return {shared + threadIdx.x / GROUP * COPY_STRIDE};
#endif
}

/* By all threads, when they have counted their samples. Neighbours begin with different copies: different banks. */
static __device__ __forceinline__ void merge_bins(const unsigned *shared, unsigned *__restrict__ bins)
{
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK) {
        unsigned count = 0;
        for (int i = 0; i < COPIES_OF_BLOCK; i++)
            count += shared[bin * BIN_STRIDE + (bin + i) % COPIES_OF_BLOCK * COPY_STRIDE];
        if (count > 0)
            atomicAdd(bins + bin, count);
    }
}

#endif
