/* SPDX-License-Identifier: Apache-2.0 */
/*
 * both.cu - group.cu, where a thread adds up runs of equal samples before it counts them (runs.cuh).
 *
 *   GROUP, MEMBERS, LAYOUT, PAD  see group_bins.cuh.
 *   BLOCK, VECTOR, ITEMS, AHEAD  see samples.cuh.
 *
 * Limit: memory bandwidth where runs are long; where they are not, the comparisons.
 */
#include "group_bins.cuh"
#include "runs.cuh"

__global__ void __launch_bounds__(BLOCK) histogram(const sample *__restrict__ x, unsigned *bins, long long n)
{
    extern __shared__ unsigned copies[];
    runs_of_samples<group_bins> counts = {clear_bins(copies)};
    count_samples(x, n, counts);
    merge_bins(copies, bins);
}
