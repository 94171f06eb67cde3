/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packed.cu - histogram of samples: each block counts in a private copy of the bins, or several, whose counters have
 * 8 or 16 bits: 16-bit samples have more bins than a multiprocessor has room for words.
 *
 *   COUNTER    8 or 16 bits, 64 or 128 KiB a copy of 65,536 bins.
 *   COPIES     of the bins a block.
 *   LAYOUT     of the counters in words; see packed_bins.cuh, which says what becomes of counters that overflow.
 *   AGGREGATE  1: a thread adds up runs of equal samples before it counts them.
 *   BLOCK, VECTOR, ITEMS, AHEAD  see samples.cuh. Copies leave room for one block or a few, so a thread must have
 *                                several vectors under way.
 *
 * Limit: equal samples of a warp take turns, here where counters are not words. Of random ones 3.5 lanes meet in a
 * bank as in block.cu, twice as many samples a second as memory delivers (2 bytes each).
 */
#include "packed_bins.cuh"

struct own_words {
    unsigned *words;

    __device__ __forceinline__ unsigned *operator()(unsigned) const
    {
        return words;
    }
};

__global__ void __launch_bounds__(BLOCK) histogram(const sample *__restrict__ x, unsigned *bins, long long n)
{
    extern __shared__ unsigned words[];
    clear_words(words);
    __syncthreads();
    packed_counts<own_words> counts = {{{words + threadIdx.x % COPIES * COPY_WORDS}, bins}};
    count_samples(x, n, counts);
    __syncthreads();
    merge_words(words, 0, bins);
}
