/* SPDX-License-Identifier: Apache-2.0 */
/*
 * block.cu - histogram of samples: each block counts in a private copy of the bins in shared memory, which it adds to
 * the result when all of its samples are counted.
 *
 * Additions in shared memory take a few clocks, and only the threads of a block wait for each other. The number of
 * blocks decides how much there is to merge: one addition to global memory a block and bin.
 *
 *   BLOCK, VECTOR, ITEMS, AHEAD  see samples.cuh.
 *
 * Limit: lanes of a warp whose bins lie in the same bank take turns. Of 32 random ones 3.5 do on average (the
 * greatest number of 32 balls in one of 32 urns), so a multiprocessor counts 9 samples a clock. Equal samples of a
 * warp cost nothing: the hardware adds their number.
 */
#include "block_bins.cuh"

__global__ void __launch_bounds__(BLOCK) histogram(const sample *__restrict__ x, unsigned *bins, long long n)
{
    __shared__ unsigned copy[BINS];
    each_sample<block_bins> counts = {clear_bins(copy)};
    count_samples(x, n, counts);
    merge_bins(copy, bins);
}
