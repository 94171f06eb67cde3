/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.cuh - the products of a row, or of part of one, added up by a thread.
 *
 *   UNROLL  nonzeros loaded before the first is used: without several under way at a time a thread waits for memory
 *           twice for each of them, for the column and then for x.
 *   STREAM  as load.cuh has it.
 */
#ifndef SPMV_ROWS_CUH
#define SPMV_ROWS_CUH

#include "load.cuh"

/* The products of UNROLL nonzeros, as far as they have a column. */
static __device__ __forceinline__ float add_loaded(const int *column, float *value, const float *__restrict__ x)
{
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < UNROLL; i++)
        value[i] *= __ldg(x + max(column[i], 0));
#pragma unroll
    for (int i = 0; i < UNROLL; i++)
        sum += column[i] >= 0 ? value[i] : 0.0f;
    return sum;
}

/* What is at first, first + step, ... before last; where the column is -1, nothing is. All loads are made, without
 * branches between them: those behind the last nonzero load another one again. */
template <class Index>
static __device__ __forceinline__ float add_products(const int *__restrict__ columns, const float *__restrict__ values,
                                                     const float *__restrict__ x, Index first, Index last, Index step)
{
    float sum = 0.0f;
    for (Index at = first; at < last; at += UNROLL * step) {
        int column[UNROLL];
        float value[UNROLL];
#pragma unroll
        for (int i = 0; i < UNROLL; i++) {
            const bool some = at + i * step < last;
            const Index place = some ? at + i * step : at;
            column[i] = load_once(columns + place);
            value[i] = load_once(values + place);
            column[i] = some ? column[i] : -1;
        }
        sum += add_loaded(column, value, x);
    }
    return sum;
}

#endif
