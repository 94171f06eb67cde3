// SPDX-License-Identifier: Apache-2.0
/*
 * read.cu - how many bytes the device can read from its memory, for kernels that hardly write.
 *
 * One wave of threads walks through the array together: a thread reads vectors of 16 bytes, as many apart as there are
 * threads, so that a warp's accesses are whole lines of 128 bytes in order. UNROLL of them are in flight at once. What
 * it read is combined by exclusive or, which takes no noticeable time, and written once, which takes a few hundredths
 * of the bytes at most and is counted. The array is several times as large as the L2 cache.
 *
 *   BLOCK   threads of a block.
 *   UNROLL  vectors that a thread has in flight.
 *
 * Limit: the memory's bandwidth. It is a little higher than that of a copy, because memory never turns from reading to
 * writing.
 */
__global__ void __launch_bounds__(BLOCK) probe(const unsigned *from, unsigned *whole, int n)
{
    const uint4 *from4 = (const uint4 *)from;
    int thread = blockIdx.x * BLOCK + threadIdx.x;
    int threads = gridDim.x * BLOCK;
    int vectors = n / 4;
    unsigned all = 0;
    int i = thread;
    for (; i < vectors - (UNROLL - 1) * threads; i += UNROLL * threads) {
        uint4 v[UNROLL];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            v[u] = from4[i + u * threads];
#pragma unroll
        for (int u = 0; u < UNROLL; u++)
            all ^= v[u].x ^ v[u].y ^ v[u].z ^ v[u].w;
    }
    for (; i < vectors; i += threads)
        all ^= from4[i].x ^ from4[i].y ^ from4[i].z ^ from4[i].w;
    /* What is left of the last vector. */
    if (4 * vectors + thread < n)
        all ^= from[4 * vectors + thread];
    whole[thread] = all;
}
