/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct.cu - C = A Aᵀ, row-major: one thread per element of C, straight from memory.
 *
 * An element of C is the product of two rows of A. The lanes of a warp have neighbouring columns of C, so they read the
 * same element of one row of A, and elements of neighbouring other rows, K floats apart: a transaction of 32 bytes
 * each, of which 4 are used now and the others some steps later, if the cache still has them.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along the columns and rows of C. BLOCK_X rows must stay in the cache.
 *   UNROLL            unroll factor of the loop over K.
 *
 * Limit: as many transactions as lanes for each multiply-add. tiled.cu reads rows of A along memory.
 */
constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void gemm_aat(const float *__restrict__ a, float *__restrict__ c, int n, int k)
{
    int column = blockIdx.x * BLOCK_X + threadIdx.x;
    int row = blockIdx.y * BLOCK_Y + threadIdx.y;
    if (row >= n || column >= n)
        return;

    const float *left = a + (size_t)row * k;
    const float *right = a + (size_t)column * k;
    float sum = 0.0f;
#pragma unroll unroll
    for (int p = 0; p < k; p++)
        sum += left[p] * right[p];
    c[(size_t)row * n + column] = sum;
}
