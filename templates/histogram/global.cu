/* SPDX-License-Identifier: Apache-2.0 */
/*
 * global.cu - histogram of samples: atomic additions to the bins in global memory.
 *
 * The loads are coalesced, and that is all: every sample is an addition in the L2 cache, and equal samples wait for
 * each other there.
 *
 *   BLOCK, VECTOR, ITEMS, AHEAD  see samples.cuh.
 *
 * Limit: additions to the same address one after the other, the more so the less the samples differ.
 */
#include "samples.cuh"

struct global_bins {
    unsigned *bins;

    __device__ __forceinline__ void add(unsigned bin, unsigned count)
    {
        atomicAdd(bins + bin, count);
    }
};

__global__ void __launch_bounds__(BLOCK) histogram(const sample *__restrict__ x, unsigned *bins, long long n)
{
    each_sample<global_bins> counts = {{bins}};
    count_samples(x, n, counts);
}
