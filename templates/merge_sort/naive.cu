/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive.cu - merge neighbouring runs; each thread finds and merges its elements in global memory.
 *
 * A thread makes ITEMS elements of the result: two co-ranks say which elements of both runs these are, and it merges
 * them one by one. All threads have the same to do, however the keys are distributed.
 *
 *   BLOCK  threads of a block.
 *   ITEMS  elements of the result that a thread makes.
 *   SORT_BLOCK, SORT_ITEMS, SORT, VECTOR  see block_sort.cuh.
 *
 * Limit: the latency of memory, which the searches wait for at each of their steps; and neighbouring threads read and
 * write ITEMS elements apart.
 */
#include "elements.cuh"

extern __shared__ __align__(16) element room[]; /* for the headers as well */

#include "block_sort.cuh"
#include "corank.cuh"

__global__ void __launch_bounds__(BLOCK)
    merge(const unsigned *__restrict__ keys, const unsigned *__restrict__ values, unsigned *__restrict__ to_keys,
          unsigned *__restrict__ to_values, unsigned n, unsigned run)
{
    const unsigned threads = (2 * run + ITEMS - 1) / ITEMS; /* for a pair of runs */
    const unsigned thread = blockIdx.x * BLOCK + threadIdx.x;
    const run_pair runs(thread / threads, run, n);
    const unsigned begin = min(thread % threads * ITEMS, runs.length()), end = min(begin + ITEMS, runs.length());
    if (begin == end)
        return;

    const input from = {keys, values};
    const output to = {to_keys, to_values};
    keys_from<unsigned> a = {keys + runs.first}, b = {keys + runs.b()};
    unsigned i = corank(begin, a, runs.a_length, b, runs.b_length), j = begin - i;
    const unsigned i_end = corank(end, a, runs.a_length, b, runs.b_length), j_end = end - i_end;
    for (unsigned k = begin; k < end; k++) {
        bool from_a = j == j_end || (i < i_end && a(i) <= b(j));
        to.put(runs.first + k, from_a ? from[runs.first + i] : from[runs.b() + j]);
        i += from_a;
        j += !from_a;
    }
}
