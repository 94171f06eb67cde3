/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive_read.cu - B = transposed A, one thread per element, reading along the rows of A.
 *
 * A is rows x columns, B is columns x rows, both row-major. The threads of a warp read neighbouring elements of A
 * (one transaction) and write elements of B that are `rows` apart: each store touches a 32-byte sector of its own,
 * seven eighths of which are wasted unless the L2 cache merges them with those of adjacent blocks.
 *
 *   TILE_X, TILE_Y  threads per block along the columns and rows of A. A smaller TILE_X and a larger TILE_Y write
 *                   longer pieces of a row of B while they are still in the cache.
 *
 * Limit: the strided stores.
 */
__global__ void transpose(const float *__restrict__ a, float *__restrict__ b, int rows, int columns)
{
    int column = blockIdx.x * TILE_X + threadIdx.x;
    int row = blockIdx.y * TILE_Y + threadIdx.y;
    if (row < rows && column < columns)
        b[(size_t)column * rows + row] = a[(size_t)row * columns + column];
}
