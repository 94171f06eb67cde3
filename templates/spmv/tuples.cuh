/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tuples.cuh - the format of row, column and value: y += A x for `count` nonzeros, ordered by rows.
 *
 *   BLOCK      threads of a block.
 *   ITEMS      nonzeros of a thread, all of which are loaded before the first is used.
 *   AGGREGATE  0: an atomic addition for each nonzero. 1: a warp takes ITEMS * 32 nonzeros, 32 at a time, and adds up
 *              what belongs to one row, also from one time to the next: an addition a row and warp.
 *   STREAM     as load.cuh has it.
 */
#ifndef SPMV_TUPLES_CUH
#define SPMV_TUPLES_CUH

#include "load.cuh"
#include "segments.cuh"

#if AGGREGATE

/* The sums of one time after the other; `row` and `value` of 32 nonzeros each. */
static __device__ __forceinline__ void add_aggregated(float *y, const int *row, const float *value)
{
    const int lane = threadIdx.x % 32;
    int last_row = -1; /* of the 32 before, whose sum is not in memory yet */
    float last = 0.0f;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        float own = value[i];
        if (lane == 0) {
            if (row[i] == last_row)
                own += last;
            else
                add_to_row(y, last_row, last);
        }
        unsigned heads = heads_of_rows(row[i]);
        float sum = add_segment(own, heads);
        if (lane < 31 && ends_segment(heads))
            add_to_row(y, row[i], sum);
        last_row = __shfl_sync(ALL_LANES, row[i], 31);
        last = __shfl_sync(ALL_LANES, sum, 31);
    }
    if (lane == 0)
        add_to_row(y, last_row, last);
}

/* How far the nonzeros of a thread are apart, and its first. */
#define STRIDE 32
#define FIRST (threadIdx.x / 32 * 32 * ITEMS + threadIdx.x % 32)
#else
#define STRIDE BLOCK
#define FIRST threadIdx.x
#endif

__global__ void __launch_bounds__(BLOCK)
    add_tuples(const int *__restrict__ rows, const int *__restrict__ columns, const float *__restrict__ values,
               const float *__restrict__ x, float *__restrict__ y, int count)
{
    const unsigned first = blockIdx.x * (BLOCK * ITEMS) + FIRST;
    int row[ITEMS], column[ITEMS];
    float value[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const unsigned at = first + i * STRIDE, place = min(at, (unsigned)count - 1);
        row[i] = load_once(rows + place);
        column[i] = load_once(columns + place);
        value[i] = load_once(values + place);
        row[i] = at < (unsigned)count ? row[i] : -1;
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        value[i] *= __ldg(x + column[i]);
#if AGGREGATE
    add_aggregated(y, row, value);
#else
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        add_to_row(y, row[i], value[i]);
#endif
}

#endif
