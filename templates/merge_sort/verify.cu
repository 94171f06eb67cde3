/* SPDX-License-Identifier: Apache-2.0 */
/*
 * verify.cu - whether an array is the sorted other one. There must be no fault, and nothing lost.
 *
 * The value of a key is the key's place in the input. Pairs are right if each has the key of its place, and if they
 * rise by key and among equal keys by place: then no place occurs twice, hence each does once, and the sort is
 * stable.
 *
 * Keys alone are right if they rise and are the same ones as before. That is told by sums of hashes, modulo 2^64:
 * another multiset has the same sum once in 2^64 times.
 */
#include "../hash.cuh"

enum { NOT_RISING = 1, NOT_STABLE, NOT_ITS_KEY };

__global__ void find_faults(const unsigned *keys, const unsigned *sorted_keys, const unsigned *sorted_values,
                            unsigned char *faults, long long n, int words)
{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int fault = 0;
    if (i > 0 && sorted_keys[i] < sorted_keys[i - 1])
        fault = NOT_RISING;
    else if (words == 2 && (sorted_values[i] >= n || keys[sorted_values[i]] != sorted_keys[i]))
        fault = NOT_ITS_KEY;
    else if (words == 2 && i > 0 && sorted_keys[i] == sorted_keys[i - 1] && sorted_values[i] <= sorted_values[i - 1])
        fault = NOT_STABLE;
    faults[i] = (unsigned char)fault;
}

/* `difference`: of the sums of the hashes of both; 0 before. */
__global__ void sum_hashes(const unsigned *keys, const unsigned *sorted_keys, const unsigned *random,
                           unsigned long long *difference, long long n)
{
    unsigned long long seed = random[0], sum = 0;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x) {
        sum += (unsigned long long)hash(seed, keys[i]) << 32 | hash(~seed, keys[i]);
        sum -= (unsigned long long)hash(seed, sorted_keys[i]) << 32 | hash(~seed, sorted_keys[i]);
    }
    atomicAdd(difference, sum);
}

__global__ void compare_sums(const unsigned long long *difference, unsigned char *lost)
{
    lost[0] = difference[0] != 0;
}
