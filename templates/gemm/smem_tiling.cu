/* SPDX-License-Identifier: Apache-2.0 */
/*
 * smem_tiling.cu - C = A B, row-major: tiles of A and B in shared memory, one thread per element of C.
 *
 * A block computes a TILE_M x TILE_N tile of C. In steps of TILE_K along the common dimension its threads together
 * copy a TILE_M x TILE_K tile of A and a TILE_K x TILE_N tile of B to shared memory, and then all read from there.
 * Each element of A is read from memory once for TILE_N columns and each element of B once for TILE_M rows, so the
 * traffic shrinks by the size of the tile compared to naive.cu. Neither the tile nor its depth need be square.
 *
 *   TILE_M, TILE_N  the tile of C, and the threads per block along y and x.
 *   TILE_K          depth of the tiles: deeper means fewer barriers and more shared memory.
 *   STAGES          2 keeps two pairs of tiles: the next pair is loaded while this one is used, and one barrier per
 *                   step suffices instead of two.
 *   PAD             floats added to each row of the A tile. With TILE_N < 32 a warp reads several rows of the tile at
 *                   once; their distance TILE_K + PAD decides whether they share a bank.
 *   UNROLL          unroll factor of the loop over the tile's depth.
 *
 * Limit: still two reads per multiply-add, now from shared memory, which delivers 32 words per cycle and
 * multiprocessor where the FMA units could consume 256. thread_coarsening.cu and joint_reg_smem.cu reuse values in
 * registers.
 */
#define THREADS (TILE_M * TILE_N)

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__shared__ float a_tile[STAGES][TILE_M][TILE_K + PAD];
__shared__ float b_tile[STAGES][TILE_K][TILE_N];

/* Copy the tiles that start at depth `k0`, with zeros outside the matrices. */
static __device__ void load_tiles(int stage, const float *__restrict__ a, const float *__restrict__ b, int row0,
                                  int column0, int k0, int m, int n, int k)
{
    int thread = threadIdx.y * TILE_N + threadIdx.x;
    for (int i = thread; i < TILE_M * TILE_K; i += THREADS) {
        int row = row0 + i / TILE_K;
        int p = k0 + i % TILE_K;
        a_tile[stage][i / TILE_K][i % TILE_K] = row < m && p < k ? a[(size_t)row * k + p] : 0.0f;
    }
    for (int i = thread; i < TILE_K * TILE_N; i += THREADS) {
        int p = k0 + i / TILE_N;
        int column = column0 + i % TILE_N;
        b_tile[stage][i / TILE_N][i % TILE_N] = p < k && column < n ? b[(size_t)p * n + column] : 0.0f;
    }
}

static __device__ float multiply_tiles(int stage, float sum)
{
#pragma unroll unroll
    for (int p = 0; p < TILE_K; p++)
        sum += a_tile[stage][threadIdx.y][p] * b_tile[stage][p][threadIdx.x];
    return sum;
}

__global__ void __launch_bounds__(THREADS)
    gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    int row0 = blockIdx.y * TILE_M;
    int column0 = blockIdx.x * TILE_N;
    float sum = 0.0f;

    load_tiles(0, a, b, row0, column0, 0, m, n, k);
    __syncthreads();
    int stage = 0;
    for (int k0 = 0; k0 < k; k0 += TILE_K) {
        int next = k0 + TILE_K;
#if STAGES == 2
        if (next < k)
            load_tiles(stage ^ 1, a, b, row0, column0, next, m, n, k);
        sum = multiply_tiles(stage, sum);
        __syncthreads();
        stage ^= 1;
#else
        sum = multiply_tiles(stage, sum);
        __syncthreads();
        if (next < k)
            load_tiles(stage, a, b, row0, column0, next, m, n, k);
        __syncthreads();
#endif
    }

    int row = row0 + threadIdx.y;
    int column = column0 + threadIdx.x;
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}
