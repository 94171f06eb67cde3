/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ell.cuh - the padded format: the first `width` nonzeros of each row, column by column, `pitch` rows a column. Where a
 * row has fewer, the column is -1.
 */
#ifndef SPMV_ELL_CUH
#define SPMV_ELL_CUH

#include "rows.cuh"

/* prepare: the length of row order[place], and how many places rows of this width take; if that is too many for an
 * int, as many as fit. */
__global__ void find_width(const int *offsets, const int *order, int *found, int place, int pitch)
{
    int width = offsets[order[place] + 1] - offsets[order[place]];
    found[0] = width;
    found[1] = (int)min((long long)width * pitch, 0x7fffffffll);
}

/* prepare: a warp a row. */
__global__ void pad_rows(const int *offsets, const int *columns, const float *values, int *packed_columns,
                         float *packed_values, int rows, int pitch, int width)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows)
        return;
    int first = offsets[row], length = offsets[row + 1] - first;
    for (int k = threadIdx.x % 32; k < width; k += 32) {
        long long place = (long long)k * pitch + row;
        packed_columns[place] = k < length ? columns[first + k] : -1;
        packed_values[place] = k < length ? values[first + k] : 0.0f;
    }
}

__global__ void __launch_bounds__(BLOCK)
    multiply(const int *__restrict__ columns, const float *__restrict__ values, const float *__restrict__ x,
             float *__restrict__ y, int rows, int pitch, int width)
{
    int row = blockIdx.x * BLOCK + threadIdx.x;
    if (row < rows)
        y[row] = add_products<long long>(columns, values, x, row, row + (long long)width * pitch, pitch);
}

#endif
