/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive.cu - C = A B, row-major, one thread per element of C.
 *
 * The first step of the ladder: every thread walks along a row of A and down a column of B. Threads of a warp that
 * are neighbours along x read neighbouring elements of B (one wide transaction) and the same element of A (one
 * broadcast), so all reads are coalesced as long as BLOCK_X is a good part of a warp. What is missing is reuse: each
 * multiply-add needs two loads, and only the caches keep them from going to memory.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along the columns and rows of C. A small BLOCK_X breaks the coalescing; with
 *                     a large BLOCK_Y the rows of a block find each other's rows of B in the L1 cache.
 *   UNROLL            unroll factor of the loop over K: fewer branches, more loads in flight.
 *
 * Limit: two loads per multiply-add, and loads start at a quarter of the rate of multiply-adds: an eighth of the peak
 * at the very best.
 */
constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n,
                     int k)
{
    int column = blockIdx.x * BLOCK_X + threadIdx.x;
    int row = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (row >= m || column >= n)
        return;

    const float *a_row = a + (size_t)row * k;
    const float *b_column = b + column;
    float sum = 0.0f;
#pragma unroll unroll
    for (int p = 0; p < k; p++)
        sum += a_row[p] * b_column[(size_t)p * n];
    c[(size_t)row * n + column] = sum;
}
