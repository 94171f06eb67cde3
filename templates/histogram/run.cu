/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.cu - block.cu, where a thread adds up runs of equal samples before it counts them (runs.cuh).
 *
 *   BLOCK, VECTOR, ITEMS, AHEAD  see samples.cuh.
 *
 * Limit: that of block.cu where samples differ, and more instructions; memory bandwidth where they are constant.
 */
#include "block_bins.cuh"
#include "runs.cuh"

__global__ void __launch_bounds__(BLOCK) histogram(const sample *__restrict__ x, unsigned *bins, long long n)
{
    __shared__ unsigned copy[BINS];
    runs_of_samples<block_bins> counts = {clear_bins(copy)};
    count_samples(x, n, counts);
    merge_bins(copy, bins);
}
