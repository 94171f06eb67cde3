/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster.cu - packed.cu, where the blocks of a cluster share one set of bins: each has a part of them in its shared
 * memory, and all count in all of it (distributed shared memory, from compute capability 9.0).
 *
 * Two blocks have room for 65,536 counters of 32 bits, which never overflow; or four blocks for 16-bit ones beside
 * others on the same multiprocessor. Neighbouring bins belong to different blocks, so that all have much the same to
 * do.
 *
 *   CLUSTER    blocks of a cluster.
 *   COUNTER    16 or 32 bits.
 *   COPIES, LAYOUT, AGGREGATE    see packed.cu.
 *   BLOCK, VECTOR, ITEMS, AHEAD  see samples.cuh.
 *
 * Limit: additions that go to another multiprocessor, through the network between them: 1 - 1 / CLUSTER of all.
 */
#include "../meeting.cuh"
#include "packed_bins.cuh"

struct cluster_words {
    unsigned *words;

    __device__ __forceinline__ unsigned *operator()(unsigned rank) const
    {
        return shared_of_rank(words, rank);
    }
};

__global__ void __launch_bounds__(BLOCK) histogram(const sample *__restrict__ x, unsigned *bins, long long n)
{
    extern __shared__ unsigned words[];
    clear_words(words);
    meet_cluster();
    packed_counts<cluster_words> counts = {{{words + threadIdx.x % COPIES * COPY_WORDS}, bins}};
    count_samples(x, n, counts);
    meet_cluster(); /* no more additions from other blocks */
    merge_words(words, rank_in_cluster(), bins);
}
