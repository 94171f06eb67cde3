/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csr.cu - a row is the work of a thread (csr_thread) or of THREADS neighbours of a warp (csr_warp), each of which
 * takes every THREADS-th nonzero.
 *
 *   BLOCK           threads of a block.
 *   THREADS         2 to 32, a power of two; about as many as rows have nonzeros, or less with UNROLL.
 *   UNROLL, STREAM  as rows.cuh has them.
 *
 * Limit: of csr_thread the sectors that a warp's loads touch, up to 32 where 4 hold what is asked for; they stay in the
 * L1 cache for the next nonzeros only as long as rows are short. Of csr_warp memory bandwidth, if rows are about
 * equally long, and else the longest row: its loads follow each other.
 */
#include "group.cuh"

#if VARIANT_csr_thread
#define GROUP 1
#else
#define GROUP THREADS
#endif

__global__ void __launch_bounds__(BLOCK)
    multiply(const int *__restrict__ offsets, const int *__restrict__ columns, const float *__restrict__ values,
             const float *__restrict__ x, float *__restrict__ y, int rows)
{
    unsigned row = blockIdx.x * (BLOCK / GROUP) + threadIdx.x / GROUP;
    bool some = row < (unsigned)rows;
    float sum = add_by_group<GROUP>(columns, values, x, some ? offsets[row] : 0, some ? offsets[row + 1] : 0);
    if (some && threadIdx.x % GROUP == 0)
        y[row] = sum;
}
