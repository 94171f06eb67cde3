/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - make the keys: random words from a hash of their place and a random key, or what `shape` says.
 *
 *   1  uniform: all bits are random.
 *   2  few: 16 values, each of which occurs often. (0 and 2^32 - 1 are two of them.)
 *   3  constant: all keys are the same.
 *   4  rising: sorted already, with some equal neighbours.
 *   5  falling: sorted the other way round.
 */
#include "../hash.cuh"

__global__ void make_keys(const unsigned *random, unsigned *keys, long long n, int shape)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned value = hash((unsigned long long)random[0] << 32 | random[1], i);
    if (shape == 2)
        value = value % 16 * 0x11111111u;
    else if (shape == 3)
        value = random[0];
    else if (shape == 4)
        value = (unsigned)i / 3;
    else if (shape == 5)
        value = 0xffffffffu - (unsigned)i / 3;
    keys[i] = value;
}
