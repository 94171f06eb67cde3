/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive_write.cu - B = transposed A, a thread an element, writing along the rows of B.
 *
 * The mirror image of naive_read.cu: the stores are coalesced and the loads are strided. That is the better of the two
 * evils: what a strided load brings in beyond its own word stays in the L1 cache for the next rows of the block.
 *
 *   TILE_X, TILE_Y  threads of a block along the columns and the rows of B.
 *
 * Limit: the strided loads; a warp's load takes 32 transactions.
 */
__global__ void transpose(const float *__restrict__ a, float *__restrict__ b, int rows, int columns)
{
    int row = blockIdx.x * TILE_X + threadIdx.x; /* of A */
    int column = blockIdx.y * TILE_Y + threadIdx.y;
    if (row < rows && column < columns)
        b[(size_t)column * rows + row] = a[(size_t)row * columns + column];
}
