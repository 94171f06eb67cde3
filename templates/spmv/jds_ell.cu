/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jds_ell.cu - sorted rows in sections of SECTION, each padded to its own longest row and stored column by column. A
 * thread a row; sections are a launch each or, since a launch costs as much as some megabytes of loads, all one.
 *
 *   BLOCK           threads of a block.
 *   SECTION         rows of a section. Few mean little padding, and 32 or more coalesced loads.
 *   SEPARATE        1: a launch for each section, which is a multiple of BLOCK.
 *   UNROLL, STREAM  as rows.cuh has them.
 *
 * Limit: memory bandwidth, for a little padding; as jds_transposed where only the longest rows are left.
 */
#include "sorted.cuh"

/* starts: of the sections. */
static __device__ __forceinline__ int place_of(const int *starts, int i, int k)
{
    return starts[i / SECTION] + k * SECTION + i % SECTION;
}

static __device__ __forceinline__ int padded_length(const int *starts, int i, int)
{
    return (starts[i / SECTION + 1] - starts[i / SECTION]) / SECTION;
}

/* prepare: the places of a section; if they are too many for an int, as many as fit. */
__global__ void measure_sections(const int *lengths, int *counts, int sections)
{
    int section = blockIdx.x * blockDim.x + threadIdx.x;
    if (section < sections)
        counts[section] = (int)min((long long)lengths[(long long)section * SECTION] * SECTION, 0x7fffffffll);
}

/* From row `first` of the sorted ones on, where a section begins. */
__global__ void __launch_bounds__(BLOCK)
    multiply(const int *__restrict__ columns, const float *__restrict__ values, const int *__restrict__ starts,
             const int *__restrict__ order, const float *__restrict__ x, float *__restrict__ y, int first, int rows)
{
    int i = first + blockIdx.x * BLOCK + threadIdx.x;
    if (i >= rows)
        return;
    unsigned begin = starts[i / SECTION] + i % SECTION, end = starts[i / SECTION + 1];
    y[order[i]] = add_products<unsigned>(columns, values, x, begin, end, SECTION);
}
