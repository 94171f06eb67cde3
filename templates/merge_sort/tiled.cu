/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiled.cu - merge neighbouring runs; a block merges tile after tile in shared memory.
 *
 * For each tile of the result the block loads as many elements of both runs, so that there are enough whichever they
 * come from: coalesced, and the threads' searches and merges wait for shared memory only. Half of what is loaded is
 * not used, and loaded again for the next tile.
 *
 *   BLOCK, ITEMS, TILES  see section.cuh.
 *   SORT_BLOCK, SORT_ITEMS, SORT, VECTOR  see block_sort.cuh.
 *
 * Limit: memory bandwidth, for three accesses an element instead of two; and that neighbouring threads write ITEMS
 * elements apart.
 */
#include "elements.cuh"

extern __shared__ __align__(16) element room[]; /* for the headers as well */

#include "block_sort.cuh"
#include "section.cuh"

__global__ void __launch_bounds__(BLOCK)
    merge(const unsigned *__restrict__ keys, const unsigned *__restrict__ values, unsigned *__restrict__ to_keys,
          unsigned *__restrict__ to_values, unsigned n, unsigned run)
{
    element *a = room, *b = room + TILE;
    const input from = {keys, values};
    section own = own_section(keys, n, run);
    while (own.left() > 0) {
        const unsigned count = min((unsigned)TILE, own.left());
        const unsigned a_length = min(count, own.a_left), b_length = min(count, own.b_left);
        for (unsigned i = threadIdx.x; i < a_length; i += BLOCK)
            a[i] = from[own.a + i];
        for (unsigned j = threadIdx.x; j < b_length; j += BLOCK)
            b[j] = from[own.b + j];
        __syncthreads();
        unsigned taken = merge_tile([=](unsigned i) { return a[i]; }, a_length, [=](unsigned j) { return b[j]; },
                                    b_length, count, {to_keys, to_values}, own.first);
        own.take(taken, count);
    }
}
