/* SPDX-License-Identifier: Apache-2.0 */
/*
 * circular.cu - tiled.cu without loading anything twice: what a tile of the result has used up is replaced, in
 * buffers that begin again in front where they end. (W. Hwu, D. Kirk and I. El Hajj, "Programming Massively Parallel
 * Processors", chapter on merge.)
 *
 * Threads see the elements numbered from the beginning of the buffer's contents, and the buffer turns these numbers
 * into places.
 *
 *   BLOCK, ITEMS, TILES  see section.cuh.
 *   SORT_BLOCK, SORT_ITEMS, SORT, VECTOR  see block_sort.cuh.
 *
 * Limit: half of the loads of tiled.cu, and more instructions for each access to shared memory.
 */
#include "elements.cuh"

extern __shared__ __align__(16) element room[]; /* for the headers as well */

#include "block_sort.cuh"
#include "section.cuh"

struct circular_buffer {
    element *at;
    unsigned begin, length; /* of what is in it */

    __device__ __forceinline__ unsigned place(unsigned i) const
    {
        return begin + i < TILE ? begin + i : begin + i - TILE;
    }
    __device__ __forceinline__ element operator()(unsigned i) const
    {
        return at[place(i)];
    }
    __device__ __forceinline__ void drop(unsigned count)
    {
        begin = place(count);
        length -= count;
    }
    /* From the `left` elements from `next` on, of which the buffer has the first ones already. */
    __device__ __forceinline__ void fill(const input &from, unsigned next, unsigned left)
    {
        const unsigned full = min((unsigned)TILE, left);
        for (unsigned i = length + threadIdx.x; i < full; i += BLOCK)
            at[place(i)] = from[next + i];
        length = full;
    }
};

__global__ void __launch_bounds__(BLOCK)
    merge(const unsigned *__restrict__ keys, const unsigned *__restrict__ values, unsigned *__restrict__ to_keys,
          unsigned *__restrict__ to_values, unsigned n, unsigned run)
{
    circular_buffer a = {room, 0, 0}, b = {room + TILE, 0, 0};
    const input from = {keys, values};
    section own = own_section(keys, n, run);
    while (own.left() > 0) {
        const unsigned count = min((unsigned)TILE, own.left());
        a.fill(from, own.a, own.a_left);
        b.fill(from, own.b, own.b_left);
        __syncthreads();
        unsigned taken = merge_tile(a, a.length, b, b.length, count, {to_keys, to_values}, own.first);
        own.take(taken, count);
        a.drop(taken);
        b.drop(count - taken);
    }
}
