/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - make the samples: random words from a hash of their place and a random key, or what `shape` says.
 *
 *   1  uniform: all bits are random.
 *   2  skewed: each bit is set once in sixteen times, so that 60 % of all 8-bit samples and 36 % of all 16-bit ones
 *      are 0. (The logical and of four random words: K. Thearling and S. Smith, "An improved supercomputer sorting
 *      benchmark", 1992.)
 *   3  constant: all samples are the same.
 *   4  rising: sorted, all values equally often, so that runs are long.
 */
#include "../hash.cuh"

__global__ void make_samples(const unsigned *random, unsigned char *samples, long long n, int shape)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long key = (unsigned long long)random[0] << 32 | random[1];
    unsigned value = hash(key, i);
    if (shape == 2)
        for (int j = 1; j < 4; j++)
            value &= hash(key + j, i);
    else if (shape == 3)
        value = random[0];
    else if (shape == 4)
        value = (unsigned)((i << BITS) / n);
    if (BITS == 8)
        samples[i] = (unsigned char)value;
    else
        ((unsigned short *)samples)[i] = (unsigned short)value;
}
