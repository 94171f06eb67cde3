/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stream.cu - a prefix sum in a single pass: each block waits for the sum of all tiles before its own, adds the total
 * of its tile, and hands the sum on to the next one (adjacent synchronisation, or stream scan).
 *
 * Elements are read and written once. A block that waits for one that has not started yet, because those that wait take
 * its place, would wait forever; so a block's tile is not the one of its number, but the next one that none has taken
 * (dynamic block index): whoever a block waits for has started before it.
 *
 *   BLOCK, ITEMS, VECTOR, SCAN, PAD, STREAM   as tile.cuh has them.
 *
 * flags[0] counts the tiles that are taken; flags[1 + t] is 1 when sums[t], of all tiles before tile t, can be read.
 * All are 0 before.
 *
 * Limit: one block after the other reads a sum, adds, and writes the next one: the time of a tile is a round trip
 * through the L2 cache, however many blocks there are. With larger tiles there are fewer; lookback.cu breaks the chain.
 */
#include "element.cuh"
extern __shared__ element corner[];
#include "tile.cuh"

/* The sum of all tiles before this one; the next one is told. By one thread. */
static __device__ element pass_on(unsigned *flags, element *sums, int tile, element total)
{
    element before = 0;
    if (tile > 0) {
        while (atomicAdd(&flags[1 + tile], 0) == 0)
            __nanosleep(20);
        __threadfence(); /* the sum is read after the flag */
        before = *(volatile element *)&sums[tile];
    }
    *(volatile element *)&sums[tile + 1] = before + total;
    __threadfence(); /* and written before it */
    atomicAdd(&flags[2 + tile], 1);
    return before;
}

__global__ void __launch_bounds__(BLOCK)
    scan(const element *__restrict__ x, element *__restrict__ y, unsigned *flags, element *sums, long long n)
{
    __shared__ int taken;
    __shared__ element before;
    if (threadIdx.x == 0)
        taken = (int)atomicAdd(&flags[0], 1);
    __syncthreads();
    int tile = taken;
    long long first = (long long)tile * SECTION;
    int count = (int)min(n - first, (long long)SECTION);
    section own;
    element total = scan_section<EXCLUSIVE>(own, x + first, count);
    if (threadIdx.x == 0)
        before = pass_on(flags, sums, tile, total);
    __syncthreads();
    store_section<EXCLUSIVE>(own, y + first, count, before);
}
