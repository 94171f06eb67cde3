/* SPDX-License-Identifier: Apache-2.0 */
/*
 * a_reused.cu - C = A B, row-major: one tile of A in shared memory serves several tiles of B.
 *
 * In smem_tiling.cu a block that computes the tile of C to the right loads the same tiles of A again. Here a block
 * computes TILES neighbouring tiles of C: A is read from memory a TILES-th as often, and a thread, which has an element
 * in each of these tiles, reads a value of A from shared memory once for TILES multiply-adds: 1 + TILES reads where
 * smem_tiling.cu has 2 * TILES.
 *
 *   TILE_M, TILE_N  a tile of C, and the threads per block along y and x.
 *   TILE_K          depth of the shared tiles.
 *   TILES           tiles of B that a tile of A serves.
 *   PAD             floats added to each row of the A tile: with TILE_N < 32 a warp reads several rows at once.
 *   UNROLL          unroll factor of the loop over the depth.
 *
 * Limit: a value of B still serves one multiply-add of a thread. thread_coarsening.cu reuses both, and needs no more
 * registers for it: 4 x 4 sums take 8 reads for 16 multiply-adds, 1 x 16 take 17.
 */
#define THREADS (TILE_M * TILE_N)
#define WIDTH (TILES * TILE_N) /* columns of C per block */

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__shared__ float a_tile[TILE_M][TILE_K + PAD];
__shared__ float b_tiles[TILE_K][WIDTH];

__global__ void __launch_bounds__(THREADS)
    gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    int row0 = blockIdx.y * TILE_M;
    int column0 = blockIdx.x * WIDTH;
    int thread = threadIdx.y * TILE_N + threadIdx.x;
    float sum[TILES];
#pragma unroll
    for (int t = 0; t < TILES; t++)
        sum[t] = 0.0f;

    for (int k0 = 0; k0 < k; k0 += TILE_K) {
        for (int i = thread; i < TILE_M * TILE_K; i += THREADS) {
            int row = row0 + i / TILE_K, p = k0 + i % TILE_K;
            a_tile[i / TILE_K][i % TILE_K] = row < m && p < k ? a[(size_t)row * k + p] : 0.0f;
        }
        for (int i = thread; i < TILE_K * WIDTH; i += THREADS) {
            int p = k0 + i / WIDTH, column = column0 + i % WIDTH;
            b_tiles[i / WIDTH][i % WIDTH] = p < k && column < n ? b[(size_t)p * n + column] : 0.0f;
        }
        __syncthreads();
#pragma unroll unroll
        for (int p = 0; p < TILE_K; p++) {
            float a_value = a_tile[threadIdx.y][p];
#pragma unroll
            for (int t = 0; t < TILES; t++)
                sum[t] += a_value * b_tiles[p][t * TILE_N + threadIdx.x];
        }
        __syncthreads();
    }

    int row = row0 + threadIdx.y;
#pragma unroll
    for (int t = 0; t < TILES; t++) {
        int column = column0 + t * TILE_N + threadIdx.x;
        if (row < m && column < n)
            c[(size_t)row * n + column] = sum[t];
    }
}
