/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookback.cu - a prefix sum in a single pass with decoupled look-back, a tile a block.
 *
 *   BLOCK, ITEMS, VECTOR, SCAN, PAD, STREAM  as tile.cuh has them.      WINDOW, DELAY  as lookback.cuh has them.
 *   DYNAMIC  1: a block takes the next tile that is left, as in stream.cu, which costs a round trip to the L2 cache
 *            before the first load; 0: that of its number. It relies on blocks starting in the order of their numbers,
 *            as they do, though CUDA does not promise it.
 *
 * status: a count and the tiles' words, all 0 before; see lookback.cuh.
 *
 * Limit: memory bandwidth, if enough tiles are under way while some look back: a multiprocessor of an H100 needs some
 * 16 KiB of loads in flight at any time, and a tile waits for others during most of its life.
 */
#include "element.cuh"
extern __shared__ element corner[];
#include "tile.cuh"

#include "lookback.cuh"

__global__ void __launch_bounds__(BLOCK)
    scan(const element *__restrict__ x, element *__restrict__ y, status_word *status, long long n)
{
    __shared__ element before;
#if DYNAMIC
    __shared__ int taken;
    if (threadIdx.x == 0)
        taken = (int)atomicAdd(status, 1ull);
    __syncthreads();
    int tile = taken;
#else
    int tile = blockIdx.x;
#endif
    long long first = (long long)tile * SECTION;
    int count = (int)min(n - first, (long long)SECTION);
    section own;
    element total = scan_section<EXCLUSIVE>(own, x + first, count);
    if (threadIdx.x < 32) {
        element sum = look_back(status, tile, total);
        if (threadIdx.x == 0)
            before = sum;
    }
    __syncthreads();
    store_section<EXCLUSIVE>(own, y + first, count, before);
}
