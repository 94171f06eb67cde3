/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copies.cu - global.cu with several copies of the bins in global memory, which a second kernel adds up.
 *
 * Block b counts in copy b % COPIES, so fewer blocks wait for each other at an address.
 *
 *   COPIES  of all bins.
 *   BLOCK, VECTOR, ITEMS, AHEAD  see samples.cuh.
 *
 * Limit: every sample still takes the way to the L2 cache; COPIES * 4 bytes for each bin are cleared and read again.
 */
#include "samples.cuh"

struct global_bins {
    unsigned *bins;

    __device__ __forceinline__ void add(unsigned bin, unsigned count)
    {
        atomicAdd(bins + bin, count);
    }
};

__global__ void __launch_bounds__(BLOCK) histogram(const sample *__restrict__ x, unsigned *copies, long long n)
{
    each_sample<global_bins> counts = {{copies + blockIdx.x % COPIES * BINS}};
    count_samples(x, n, counts);
}

__global__ void add_copies(const unsigned *__restrict__ copies, unsigned *__restrict__ bins)
{
    int bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin >= BINS)
        return;
    unsigned count = 0;
    for (int copy = 0; copy < COPIES; copy++)
        count += copies[copy * BINS + bin];
    bins[bin] = count;
}
