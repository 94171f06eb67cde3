/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hash.cuh - random words that depend on their place alone, so that any number of threads can make them: the output
 * function of SplitMix64 on a counter (G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number
 * generators", 2014).
 */
#ifndef TEMPLATES_HASH_CUH
#define TEMPLATES_HASH_CUH

static __device__ __forceinline__ unsigned hash(unsigned long long key, unsigned long long place)
{
    unsigned long long z = key + (place + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (unsigned)(z ^ z >> 31);
}

#endif
