/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jds_transposed.cu - sorted rows column by column: the first nonzeros of all rows, the second ones of those that have
 * as many, and so on. A thread a row, with coalesced loads and no padding.
 *
 *   BLOCK           threads of a block.
 *   UNROLL, STREAM  as rows.cuh has them.
 *
 * Limit: memory bandwidth, until only the longest rows are left: a thread cannot hide the latency of its loads alone.
 */
#include "sorted.cuh"

/* starts: of the diagonals, that is, of all k-th nonzeros. */
static __device__ __forceinline__ int place_of(const int *starts, int i, int k)
{
    return starts[k] + i;
}

static __device__ __forceinline__ int padded_length(const int *, int, int length)
{
    return length;
}

/* prepare: how many rows are longer than k. */
__global__ void measure_diagonals(const int *lengths, int *counts, int rows, int diagonals)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= diagonals)
        return;
    int low = 0, high = rows;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (lengths[middle] > k)
            low = middle + 1;
        else
            high = middle;
    }
    counts[k] = low;
}

__global__ void __launch_bounds__(BLOCK)
    multiply(const int *__restrict__ columns, const float *__restrict__ values, const int *__restrict__ starts,
             const int *__restrict__ lengths, const int *__restrict__ order, const float *__restrict__ x,
             float *__restrict__ y, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= rows)
        return;
    int length = lengths[i];
    float sum = 0.0f;
    for (int k = 0; k < length; k += UNROLL) {
        int column[UNROLL];
        float value[UNROLL];
#pragma unroll
        for (int j = 0; j < UNROLL; j++) {
            const bool some = k + j < length;
            const int place = __ldg(starts + (some ? k + j : k)) + i;
            column[j] = load_once(columns + place);
            value[j] = load_once(values + place);
            column[j] = some ? column[j] : -1;
        }
        sum += add_loaded(column, value, x);
    }
    y[order[i]] = sum;
}
