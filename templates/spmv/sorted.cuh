/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sorted.cuh - rows by length, the longest first: `order` says which row is where. Each format says by place_of() where
 * a nonzero goes; what is not there yet has to be before `pack_rows`.
 */
#ifndef SPMV_SORTED_CUH
#define SPMV_SORTED_CUH

#include "rows.cuh"
#include "running.cuh"

/* Where nonzero k of the i-th row goes. */
static __device__ __forceinline__ int place_of(const int *starts, int i, int k);

/* How many entries the i-th row has, nonzeros and padding. */
static __device__ __forceinline__ int padded_length(const int *starts, int i, int length);

/* prepare */
__global__ void sort_lengths(const int *offsets, const int *order, int *lengths, int rows)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows)
        lengths[i] = offsets[order[i] + 1] - offsets[order[i]];
}

/* prepare: a warp a row. */
__global__ void pack_rows(const int *offsets, const int *order, const int *columns, const float *values,
                          const int *starts, int *packed_columns, float *packed_values, int rows)
{
    int i = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (i >= rows)
        return;
    int first = offsets[order[i]], length = offsets[order[i] + 1] - first;
    int padded = padded_length(starts, i, length);
    for (int k = threadIdx.x % 32; k < padded; k += 32) {
        int place = place_of(starts, i, k);
        packed_columns[place] = k < length ? columns[first + k] : -1;
        packed_values[place] = k < length ? values[first + k] : 0.0f;
    }
}

#endif
