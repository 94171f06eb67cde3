// SPDX-License-Identifier: Apache-2.0
/*
 * copy.cu - how many bytes the device can read and write in its memory.
 *
 * A thread copies UNROLL vectors of 16 bytes, BLOCK vectors apart, so that a warp's accesses are whole lines of 128
 * bytes in order. It loads all of them before it stores the first: the loads are in flight together, and enough blocks
 * are resident to keep thousands of lines in flight. The arrays are several times as large as the L2 cache, which is
 * flushed before each run. Half of the bytes are read, half are written; a kernel that mostly reads may get a little
 * more, because memory loses time whenever it turns from one to the other.
 *
 *   BLOCK   threads of a block.
 *   UNROLL  vectors a thread copies.
 *
 * Limit: the memory's bandwidth, of which a copy reaches some 90 %; the rest goes into refreshing and turning round.
 */
__global__ void __launch_bounds__(BLOCK) probe(const unsigned *from, unsigned *whole, int n)
{
    const uint4 *from4 = (const uint4 *)from;
    uint4 *whole4 = (uint4 *)whole;
    int vectors = n / 4;
    int first = blockIdx.x * BLOCK * UNROLL + threadIdx.x;
    if (first + (UNROLL - 1) * BLOCK < vectors) {
        uint4 v[UNROLL];
#pragma unroll
        for (int i = 0; i < UNROLL; i++)
            v[i] = from4[first + i * BLOCK];
#pragma unroll
        for (int i = 0; i < UNROLL; i++)
            whole4[first + i * BLOCK] = v[i];
    } else {
        for (int i = first; i < vectors && i < first + UNROLL * BLOCK; i += BLOCK)
            whole4[i] = from4[i];
    }
    /* What is left of the last vector. */
    int rest = 4 * vectors + threadIdx.x;
    if (blockIdx.x == 0 && rest < n)
        whole[rest] = from[rest];
}
