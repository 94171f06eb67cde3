/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive_write.cu - B = transposed A, one thread per element, writing along the rows of B.
 *
 * The mirror image of naive_read.cu: the stores are coalesced and the loads are strided. That is the lesser evil:
 * what a strided load fetches beyond its own word stays in the L1 cache for the next rows of the block.
 *
 *   TILE_X, TILE_Y  threads per block along the columns and rows of B.
 *
 * Limit: the strided loads, 32 transactions per warp.
 */
__global__ void transpose(const float *__restrict__ a, float *__restrict__ b, int rows, int columns)
{
    int row = blockIdx.x * TILE_X + threadIdx.x; /* of A */
    int column = blockIdx.y * TILE_Y + threadIdx.y;
    if (row < rows && column < columns)
        b[(size_t)column * rows + row] = a[(size_t)row * columns + column];
}
