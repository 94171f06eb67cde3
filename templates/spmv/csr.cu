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
#include "rows.cuh"

#if VARIANT_csr_thread
#define THREADS_OF_ROW 1
#else
#define THREADS_OF_ROW THREADS
#endif

__global__ void __launch_bounds__(BLOCK)
    multiply(const int *__restrict__ offsets, const int *__restrict__ columns, const float *__restrict__ values,
             const float *__restrict__ x, float *__restrict__ y, int rows)
{
    unsigned thread = threadIdx.x % THREADS_OF_ROW, row = blockIdx.x * (BLOCK / THREADS_OF_ROW);
    row += threadIdx.x / THREADS_OF_ROW;
    bool some = row < (unsigned)rows;
    unsigned first = some ? offsets[row] : 0, last = some ? offsets[row + 1] : 0;
    float sum = add_products<unsigned>(columns, values, x, first + thread, last, THREADS_OF_ROW);
#pragma unroll
    for (int step = THREADS_OF_ROW / 2; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, step, THREADS_OF_ROW);
    if (some && thread == 0)
        y[row] = sum;
}
