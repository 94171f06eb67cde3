/* SPDX-License-Identifier: Apache-2.0 */
/*
 * a_tile.cu - C = A B, row-major: one thread per element of C, a tile of A in shared memory.
 *
 * In naive.cu all lanes of a warp read the same element of A at a time: a transaction of 32 bytes for 4 of them. Here
 * a warp, which computes 32 elements of one row of C, fetches TILE_K elements of its row of A at once, each lane its
 * own, and then reads them from shared memory, where reading one word by all lanes is a broadcast. Nobody but the warp
 * that wrote a row of the tile reads it, so __syncwarp is enough: warps do not wait for each other.
 *
 *   BLOCK_Y  warps per block, and rows of C: each warp has its own, and its own row of the tile.
 *   TILE_K   elements of A that a warp fetches at once, a multiple of 32.
 *   UNROLL   unroll factor of the loop over them.
 *
 * Limit: B still comes from memory or a cache, one load for each multiply-add. smem_tiling.cu shares it as well. And the
 * L1 cache of later GPUs keeps A as well as shared memory does: there this is no faster than naive.cu.
 */
constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__shared__ __align__(16) float a_tile[BLOCK_Y][TILE_K];

__global__ void __launch_bounds__(32 * BLOCK_Y)
    gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    int lane = threadIdx.x;
    int row = blockIdx.y * BLOCK_Y + threadIdx.y;
    int column = blockIdx.x * 32 + lane;
    if (row >= m)
        return; /* the whole warp */

    const float *a_row = a + (size_t)row * k;
    const float *b_column = b + min(column, n - 1); /* lanes beyond the edge fetch their part of A, too */
    float *mine = a_tile[threadIdx.y];
    float sum = 0.0f;
    for (int k0 = 0; k0 < k; k0 += TILE_K) {
        int count = min(TILE_K, k - k0);
#pragma unroll
        for (int p = lane; p < TILE_K; p += 32)
            mine[p] = p < count ? a_row[k0 + p] : 0.0f;
        __syncwarp();
#pragma unroll unroll
        for (int p = 0; p < count; p++)
            sum += mine[p] * b_column[(size_t)(k0 + p) * n];
        __syncwarp();
    }
    if (column < n)
        c[(size_t)row * n + column] = sum;
}
