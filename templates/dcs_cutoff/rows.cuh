/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.cuh - several pieces of memory, one for each thread of a block, read as one list: all threads have work and all
 * loads are full, however short the pieces are.
 */
#ifndef DCS_CUTOFF_ROWS_CUH
#define DCS_CUTOFF_ROWS_CUH

#include "../sums.cuh"
#include "points.cuh"

struct row_list {
    int end[THREADS];   /* in the list, of row t */
    int shift[THREADS]; /* from a number in the list to one in memory */
    int warps[THREADS / 32];
};

/* Each thread adds the row from `begin`, of any length. Returns the length of the list. For all threads of a block. */
static __device__ __forceinline__ int list_rows_of(row_list &rows, int begin, int length)
{
    int thread = thread_number(), lane = thread % 32, end = warp_sum_up_to(length, lane);
    __syncthreads(); /* nobody reads the list of before any more */
    if (lane == 31)
        rows.warps[thread / 32] = end;
    __syncthreads();
    for (int warp = 0; warp < thread / 32; warp++)
        end += rows.warps[warp];
    rows.end[thread] = end;
    rows.shift[thread] = begin - (end - length);
    __syncthreads();
    return rows.end[THREADS - 1];
}

/* Where element n of the list is in memory. `row` is 0 at first and only grows with n. */
static __device__ __forceinline__ int place_in_memory(const row_list &rows, int n, int &row)
{
    while (n >= rows.end[row])
        row++;
    return n + rows.shift[row];
}

#endif
