// SPDX-License-Identifier: Apache-2.0
/*
 * read.cu - how many bytes the device can read from its memory, for kernels that hardly write.
 *
 * A block reads a tile of BLOCK * UNROLL words: a thread UNROLL of them, BLOCK apart, so that each load of a warp is a
 * whole line of 128 bytes. All of a thread's loads are in flight together. What a warp has read is combined by exclusive
 * or, which takes no noticeable time, and written as one word. The array is several times as large as the L2 cache.
 *
 *   BLOCK   threads of a block.
 *   UNROLL  words that a thread reads, and has in flight.
 *
 * Limit: the memory's bandwidth. It may be a little higher than that of a copy, because memory never turns from reading
 * to writing.
 */
__global__ void __launch_bounds__(BLOCK) probe(const unsigned *from, unsigned *whole, int n)
{
    int first = blockIdx.x * BLOCK * UNROLL + threadIdx.x;
    unsigned all = 0;
    if (first + (UNROLL - 1) * BLOCK < n) {
        unsigned v[UNROLL];
#pragma unroll
        for (int i = 0; i < UNROLL; i++)
            v[i] = from[first + i * BLOCK];
#pragma unroll
        for (int i = 0; i < UNROLL; i++)
            all ^= v[i];
    } else {
        for (int i = 0; i < UNROLL && first + i * BLOCK < n; i++)
            all ^= from[first + i * BLOCK];
    }
    for (int distance = 16; distance > 0; distance /= 2)
        all ^= __shfl_xor_sync(0xffffffffu, all, distance);
    if (threadIdx.x % 32 == 0)
        whole[(blockIdx.x * BLOCK + threadIdx.x) / 32] = all;
}
