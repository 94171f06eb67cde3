/* SPDX-License-Identifier: Apache-2.0 */
/*
 * block_bins.cuh - a private copy of the bins for each block, in its shared memory, as in block.cu and run.cu.
 */
#ifndef HISTOGRAM_BLOCK_BINS_CUH
#define HISTOGRAM_BLOCK_BINS_CUH

#include "samples.cuh"

struct block_bins {
    unsigned *bins;

    __device__ __forceinline__ void add(unsigned bin, unsigned count)
    {
        atomicAdd(bins + bin, count);
    }
};

/* By all threads; returns when the copy is clear. */
static __device__ __forceinline__ block_bins clear_bins(unsigned *shared)
{
    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK)
        shared[bin] = 0;
    __syncthreads();
    return {shared};
}

/* By all threads, when they have counted their samples. */
static __device__ __forceinline__ void merge_bins(const unsigned *shared, unsigned *__restrict__ bins)
{
    __syncthreads();
    for (int bin = threadIdx.x; bin < BINS; bin += BLOCK)
        if (shared[bin] > 0)
            atomicAdd(bins + bin, shared[bin]);
}

#endif
