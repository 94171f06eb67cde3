/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - the matrix, from a random key, and its rows by length. `shape` says how long rows are:
 *
 *   1  banded: `mean` nonzeros side by side around the diagonal, or as near to it as they fit.
 *   2  random: any number from 0 to 2 * mean, all as often, if there are enough columns. Rows 2 i and 2 i + 1 have
 *      2 * mean together.
 *   3  power law: the k longest rows have a part of all nonzeros that grows as the cube root of k, so that the k-th is
 *      about as long as k^(-2/3), and rows of n nonzeros are as rare as n^(-5/2). Long ones are anywhere, and one row
 *      in eight is empty.
 *   4  banded, but for one full row, anywhere.
 *
 * A row of n nonzeros that is not part of a band has one of them anywhere in each n-th part of the columns. So columns
 * rise within rows, none occurs twice, and loads of x are far from each other but in the longest rows.
 */
#include "../hash.cuh"
#include "running.cuh"

enum { BANDED = 1, RANDOM, POWER_LAW, FULL_ROW };

struct matrix {
    int rows, columns, mean, shape, nonzeros;
};

/* What a hash is for. */
enum { OF_LENGTHS, OF_COLUMNS, OF_VALUES };

static __device__ __forceinline__ unsigned long long make_key(const unsigned *random, int use)
{
    return ((unsigned long long)random[0] << 32 | random[1]) + use;
}

/* A permutation of 0 to count - 1: steps that can be undone, of as many bits as needed, until the number is small. */
static __device__ int permute(unsigned long long key, int number, int count)
{
    int bits = 1;
    while (bits < 31 && 1 << bits < count)
        bits++;
    unsigned mask = (1u << bits) - 1, at = number;
    do {
        for (int round = 0; round < 3; round++) {
            at = (at * (hash(key, round) | 1) + hash(key, 3 + round)) & mask;
            at ^= at >> (bits / 2 + 1);
        }
    } while (at >= (unsigned)count);
    return (int)at;
}

/* Power law: the nonzeros of the `rank` longest rows. */
static __device__ int longest_rows(const matrix &a, int rank)
{
    int occupied = a.rows - a.rows / 8;
    return rank >= occupied ? a.nonzeros : (int)(a.nonzeros * cbrt((double)rank / occupied));
}

static __device__ int row_length(unsigned long long key, const matrix &a, int row)
{
    if (a.shape == RANDOM) {
        if (row == a.rows - 1 && row % 2 == 0)
            return a.mean;
        unsigned bits = hash(key, row / 2);
        int off = (int)((bits >> 1) % (min(a.mean, a.columns - a.mean) + 1));
        return a.mean + ((row ^ bits) & 1 ? off : -off);
    }
    if (a.shape == POWER_LAW) {
        int rank = permute(key, row, a.rows);
        return longest_rows(a, rank + 1) - longest_rows(a, rank);
    }
    if (a.shape == FULL_ROW && row == permute(key, 0, a.rows))
        return a.columns;
    return a.mean;
}

__global__ void measure_rows(const unsigned *random, int *lengths, matrix a)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < a.rows)
        lengths[row] = row_length(make_key(random, OF_LENGTHS), a, row);
}

/* A warp a row. */
__global__ void fill_rows(const unsigned *random, const int *offsets, int *columns, float *values, matrix a)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= a.rows)
        return;
    int first = offsets[row], length = offsets[row + 1] - first;
    int left = (int)((long long)row * a.columns / a.rows) - length / 2;
    left = max(min(left, a.columns - length), 0);
    for (int k = threadIdx.x % 32; k < length; k += 32) {
        int column = left + k;
        if (a.shape == RANDOM || a.shape == POWER_LAW) {
            long long low = (long long)k * a.columns / length, high = (long long)(k + 1) * a.columns / length;
            column = (int)(low + hash(make_key(random, OF_COLUMNS), first + k) % (high - low));
        }
        columns[first + k] = column;
        values[first + k] = (float)(int)hash(make_key(random, OF_VALUES), first + k) * 0x1p-31f;
    }
}

/* ---- rows by length --------------------------------------------------------------------------------------------- */

/* They rise as lengths fall, and among equal lengths as rows do. */
__global__ void make_keys(const int *offsets, unsigned long long *keys, int rows, int count)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= count)
        return;
    unsigned long long length = row < rows ? offsets[row + 1] - offsets[row] : 0;
    keys[row] = row < rows ? (0xffffffffu - length) << 32 | row : ~0ull;
}

/* A step of a bitonic sort: of keys that differ in bit `step` of their place the smaller one goes first, in every
 * other run of 2^run keys last. */
__global__ void exchange_keys(unsigned long long *keys, int count, int run, int step)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x, other = at | 1 << step;
    if (at >= count || at == other)
        return;
    unsigned long long first = keys[at], second = keys[other];
    if ((first > second) == (at >> run & 1))
        return;
    keys[at] = second;
    keys[other] = first;
}

__global__ void take_order(const unsigned long long *keys, int *order, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        order[i] = (int)(keys[i] & 0xffffffffu);
}
