/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group.cu - histogram of samples: each group of a few threads counts in a private copy of the bins in shared memory.
 *
 * Between block.cu, where all threads of a block wait for each other, and a copy a thread, for which there is no
 * room: fewer threads a copy wait less, and have more to merge in the end.
 *
 *   GROUP, MEMBERS, LAYOUT, PAD  see group_bins.cuh.
 *   BLOCK, VECTOR, ITEMS, AHEAD  see samples.cuh.
 *
 * Limit: memory bandwidth, if every lane has a bank of its own.
 */
#include "group_bins.cuh"

__global__ void __launch_bounds__(BLOCK) histogram(const sample *__restrict__ x, unsigned *bins, long long n)
{
    extern __shared__ unsigned copies[];
    each_sample<group_bins> counts = {clear_bins(copies)};
    count_samples(x, n, counts);
    merge_bins(copies, bins);
}
