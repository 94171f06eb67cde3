/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hybrid_host.cu - rows padded to a width that is enough for most of them (ell.cuh), and what is left of longer ones by
 * row: the host's cores add it up while the device works on the padded part, and the device adds their sums to y. Longer
 * rows are the first in `order`, which lists rows by length.
 *
 *   QUANTILE               percent of the rows that fit. Fewer are less padding, and more for the host.
 *   BLOCK, UNROLL, STREAM  as ell.cuh and rows.cuh have them.
 *
 * Limit: what the host's memory has of bandwidth for 8 bytes of each nonzero that is left, and the bus for x on the way
 * there and for the sums on the way back; else that of the padded part.
 */
#include "ell.cuh"
#include "running.cuh"

/* prepare: how many rows are longer than the width, or 1. */
__global__ void count_long_rows(const int *offsets, const int *order, int *found, int rows, int width)
{
    int low = 0, high = rows;
    while (low < high) {
        int middle = low + (high - low) / 2, row = order[middle];
        if (offsets[row + 1] - offsets[row] > width)
            low = middle + 1;
        else
            high = middle;
    }
    found[0] = max(low, 1);
}

/* prepare: what is left of each of them. */
__global__ void measure_rest(const int *offsets, const int *order, int *lengths, int rows, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        lengths[i] = max(offsets[order[i] + 1] - offsets[order[i]] - width, 0);
}

/* prepare: a warp a row; `starts` says where its rest goes. */
__global__ void take_rest(const int *offsets, const int *order, const int *columns, const float *values,
                          const int *starts, int *rest_columns, float *rest_values, int rows, int width)
{
    int i = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (i >= rows)
        return;
    int from = offsets[order[i]] + width, to = starts[i], count = starts[i + 1] - to;
    for (int k = threadIdx.x % 32; k < count; k += 32) {
        rest_columns[to + k] = columns[from + k];
        rest_values[to + k] = values[from + k];
    }
}

/* The first row that does not start before `place`. */
static __device__ __forceinline__ int row_from(const int *starts, int rows, long long place)
{
    int low = 0, high = rows;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (starts[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* On the host, a thread a block: the rows that start in its part of all `count` nonzeros. */
__global__ void add_rest(const int *starts, const int *columns, const float *values, const float *x, float *sums,
                         int rows, int count)
{
    long long first = (long long)count * blockIdx.x / gridDim.x, last = (long long)count * (blockIdx.x + 1) / gridDim.x;
    for (int row = row_from(starts, rows, first); row < rows && starts[row] < last; row++) {
        float sum = 0.0f;
        for (int i = starts[row]; i < starts[row + 1]; i++)
            sum += values[i] * x[columns[i]];
        sums[row] = sum;
    }
}

__global__ void add_rest_sums(const int *order, const float *sums, float *y, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        y[order[i]] += sums[i];
}
