// SPDX-License-Identifier: Apache-2.0
/*
 * integer.cu - how many 32-bit integer operations the device can do.
 *
 * A thread repeats x = x ^ (x >> 7) for CHAINS values in turn: a shift and an exclusive or, two instructions that only
 * the integer unit has. (A product, a left shift or a sum may become a multiply-add of integers, which another unit
 * does at the same rate; a mixture of both kinds can be faster than this ceiling.) A step waits for the one before it,
 * some nine clocks; there are enough other warps.
 *
 * The compiler cannot know how many steps follow, and cannot leave out what is written. Eight steps restore x, because
 * 8 * 7 bits are more than there are: the result shows the number of steps modulo 8, which must not be 0.
 *
 *   BLOCK   threads of a block.
 *   UNROLL  steps written out in the loop.
 *   CHAINS  values a thread works on; on the CPU device the lanes of a vector.
 *
 * Limit: 64 integer operations a multiprocessor and clock on compute capability 7.0 to 9.0.
 */
__global__ void __launch_bounds__(BLOCK) probe(const int *seed, unsigned *whole, int steps)
{
    int thread = blockIdx.x * BLOCK + threadIdx.x;
    unsigned x[CHAINS];
    for (int c = 0; c < CHAINS; c++)
        x[c] = 0x9e3779b9u * (unsigned)(seed[thread] + c);
#pragma unroll UNROLL
    for (int i = 0; i < steps; i++) {
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            x[c] ^= x[c] >> 7;
    }
    unsigned all = 0;
    for (int c = 0; c < CHAINS; c++)
        all += x[c];
    whole[thread] = all;
}
