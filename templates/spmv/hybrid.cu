/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hybrid.cu - rows padded to a width that is enough for most of them (ell.cuh), and what is left of longer ones by row,
 * column and value (tuples.cuh): the second kernel adds to what the first has stored.
 *
 *   QUANTILE                                 percent of the rows that fit. Fewer are less padding, and more atomics.
 *   BLOCK, UNROLL, ITEMS, AGGREGATE, STREAM  as ell.cuh, rows.cuh and tuples.cuh have them.
 *
 * Limit: memory bandwidth, for some padding and for 12 bytes of each nonzero that is left.
 */
#include "ell.cuh"
#include "running.cuh"
#include "tuples.cuh"

/* prepare: what is left of each row. */
__global__ void measure_rest(const int *offsets, int *lengths, int rows, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows)
        lengths[row] = max(offsets[row + 1] - offsets[row] - width, 0);
}

/* prepare: a warp a row; `starts` says where its rest goes. */
__global__ void take_rest(const int *offsets, const int *columns, const float *values, const int *starts,
                          int *rest_rows, int *rest_columns, float *rest_values, int rows, int width)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows)
        return;
    int from = offsets[row] + width, to = starts[row], count = starts[row + 1] - to;
    for (int i = threadIdx.x % 32; i < count; i += 32) {
        rest_rows[to + i] = row;
        rest_columns[to + i] = columns[from + i];
        rest_values[to + i] = values[from + i];
    }
}
