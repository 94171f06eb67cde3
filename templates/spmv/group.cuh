/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group.cuh - nonzeros first to last - 1 of a row, added up by neighbouring threads of a warp, each of which takes every
 * SIZE-th. For whole warps; the sum is the group's first thread's.
 */
#ifndef SPMV_GROUP_CUH
#define SPMV_GROUP_CUH

#include "rows.cuh"

template <int SIZE>
static __device__ __forceinline__ float add_by_group(const int *__restrict__ columns, const float *__restrict__ values,
                                                     const float *__restrict__ x, int first, int last)
{
    float sum = add_products<unsigned>(columns, values, x, first + threadIdx.x % SIZE, last, SIZE);
#pragma unroll
    for (int step = SIZE / 2; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step, SIZE);
    return sum;
}

#endif
