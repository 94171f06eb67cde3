/* SPDX-License-Identifier: Apache-2.0 */
/*
 * thread_coarsening.cu - C = A B, row-major: a REG_M x REG_N piece of C in the registers of every thread.
 *
 * As in smem_tiling.cu a block computes a TILE_M x TILE_N tile of C from tiles of A and B in shared memory. But a
 * thread now owns REG_M x REG_N elements: for each step along the depth it reads REG_M values of A and REG_N values
 * of B and adds their outer product, so that REG_M + REG_N reads serve REG_M * REG_N multiply-adds: with 8 x 8, 16
 * reads for 64 multiply-adds, for which smem_tiling.cu needs 128. Now the FMA units, not shared memory, set the pace.
 *
 * How it works:
 *   - The A tile is stored transposed, so a thread's values of A and of B are contiguous and are read four at a time.
 *   - A thread's rows come in runs of 4, the runs LANES_M * 4 rows apart (columns likewise), so that the lanes of a
 *     warp read one contiguous stretch of shared memory: no bank conflicts, and broadcasts where lanes share a run.
 *   - The 32 lanes of a warp form a LANES_M x (32 / LANES_M) rectangle; the closer to a square, the fewer distinct
 *     words a warp reads.
 *   - STAGES = 2: the next tiles travel from memory to registers while this pair is used, and then go into a second
 *     pair of shared tiles. Their latency is hidden, and one barrier per step remains.
 *   - Edges cost nothing in the interior: rows and columns beyond the matrices are clamped to the last one (what is
 *     computed there is never stored); only the last step along the depth and unaligned matrices take the guarded
 *     loads.
 *
 *   TILE_M, TILE_N, TILE_K  the tile of C and the depth of the shared tiles.
 *   REG_M, REG_N            the piece of C per thread; both multiples of 4.
 *   LANES_M                 lanes of a warp along the rows of C.
 *   VECTOR                  floats per load from memory.
 *   PAD                     floats added to each row of the transposed A tile: it is stored by columns, and PAD
 *                           spreads the stores over the banks. A multiple of 4, so that reads stay aligned.
 *   UNROLL                  unroll factor of the loop over the depth.
 *   MIN_BLOCKS              blocks that must fit on a multiprocessor, which limits the registers that the compiler
 *                           uses.
 *   RASTER                  blocks are numbered in bands of RASTER tile rows, so that blocks running together share
 *                           rows of A and columns of B in the L2 cache.
 *
 * Limit: registers. 8 x 8 takes about 120 per thread; larger pieces read less but leave room for fewer warps.
 */
#include "vector.cuh"

#define LANES_N (32 / LANES_M)
#define WARP_TILE_M (LANES_M * REG_M)
#define WARP_TILE_N (LANES_N * REG_N)
#define WARPS_N (TILE_N / WARP_TILE_N)
#define THREADS (TILE_M / REG_M * (TILE_N / REG_N))

/* Vectors per row of a tile, and per thread and tile, when loading. */
#define A_ROW (TILE_K / VECTOR)
#define B_ROW (TILE_N / VECTOR)
#define A_LOADS (TILE_M * A_ROW / THREADS)
#define B_LOADS (TILE_K * B_ROW / THREADS)

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__shared__ __align__(16) float a_tile[STAGES][TILE_K][TILE_M + PAD];
__shared__ __align__(16) float b_tile[STAGES][TILE_K][TILE_N];

/* The source of a thread's share of the tiles. Rows and columns beyond the matrices are clamped to the last ones. */
struct origin {
    const float *a[A_LOADS], *b[B_LOADS]; /* in the first pair of tiles */
    bool aligned;                         /* every row starts at a multiple of VECTOR floats */
};

/* That share in registers, between memory and shared memory. */
struct passage {
    float a[A_LOADS][VECTOR];
    float b[B_LOADS][VECTOR];
};

static __device__ __forceinline__ void find_origin(origin &from, const float *__restrict__ a,
                                                   const float *__restrict__ b, int row0, int column0, int m, int n,
                                                   int k)
{
    from.aligned = n % VECTOR == 0 && k % VECTOR == 0;
#pragma unroll
    for (int i = 0; i < A_LOADS; i++) {
        int index = threadIdx.x + i * THREADS;
        from.a[i] = a + (size_t)min(row0 + index / A_ROW, m - 1) * k + index % A_ROW * VECTOR;
    }
#pragma unroll
    for (int i = 0; i < B_LOADS; i++) {
        int index = threadIdx.x + i * THREADS;
        int column = column0 + index % B_ROW * VECTOR;
        from.b[i] = b + (size_t)(index / B_ROW) * n + (column < n ? column : max(n - VECTOR, 0));
    }
}

/* Load the tiles at `from`, of which `left` steps along the depth and `width` columns are inside the matrices. */
static __device__ __forceinline__ void load_tiles(passage &in, const origin &from, int left, int width)
{
    if (from.aligned && left >= TILE_K) {
#pragma unroll
        for (int i = 0; i < A_LOADS; i++)
            load_vector<VECTOR>(in.a[i], from.a[i]);
#pragma unroll
        for (int i = 0; i < B_LOADS; i++)
            load_vector<VECTOR>(in.b[i], from.b[i]);
        return;
    }
#pragma unroll
    for (int i = 0; i < A_LOADS; i++) {
        int inside = left - (threadIdx.x + i * THREADS) % A_ROW * VECTOR;
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            in.a[i][v] = v < inside ? from.a[i][v] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < B_LOADS; i++) {
        int index = threadIdx.x + i * THREADS;
        int inside = index / B_ROW < left ? width - index % B_ROW * VECTOR : 0;
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            in.b[i][v] = v < inside ? from.b[i][v] : 0.0f;
    }
}

static __device__ __forceinline__ void advance(origin &from, int n)
{
#pragma unroll
    for (int i = 0; i < A_LOADS; i++)
        from.a[i] += TILE_K;
#pragma unroll
    for (int i = 0; i < B_LOADS; i++)
        from.b[i] += (size_t)TILE_K * n;
}

static __device__ __forceinline__ void store_tiles(const passage &in, int stage)
{
#pragma unroll
    for (int i = 0; i < A_LOADS; i++) {
        int index = threadIdx.x + i * THREADS;
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            a_tile[stage][index % A_ROW * VECTOR + v][index / A_ROW] = in.a[i][v];
    }
#pragma unroll
    for (int i = 0; i < B_LOADS; i++) {
        int index = threadIdx.x + i * THREADS;
        float *to = &b_tile[stage][index / B_ROW][index % B_ROW * VECTOR];
#if VECTOR == 4
        store_vector4(to, in.b[i]);
#else
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            to[v] = in.b[i][v];
#endif
    }
}

static __device__ __forceinline__ void multiply_tiles(float (&sum)[REG_M][REG_N], int stage, int row, int column)
{
#pragma unroll unroll
    for (int p = 0; p < TILE_K; p++) {
        float a_values[REG_M], b_values[REG_N];
#pragma unroll
        for (int i = 0; i < REG_M; i += 4)
            load_vector<4>(&a_values[i], &a_tile[stage][p][row + i * LANES_M]);
#pragma unroll
        for (int j = 0; j < REG_N; j += 4)
            load_vector<4>(&b_values[j], &b_tile[stage][p][column + j * LANES_N]);
#pragma unroll
        for (int i = 0; i < REG_M; i++)
#pragma unroll
            for (int j = 0; j < REG_N; j++)
                sum[i][j] += a_values[i] * b_values[j];
    }
}

/* Store the thread's piece, whose first element is at `row` and `column` of C. */
static __device__ __forceinline__ void store_piece(float *__restrict__ c, const float (&sum)[REG_M][REG_N], int row,
                                                   int column, int m, int n)
{
    bool aligned = n % 4 == 0;
#pragma unroll
    for (int i = 0; i < REG_M; i++) {
        int r = row + i / 4 * (4 * LANES_M) + i % 4;
        if (r >= m)
            continue;
#pragma unroll
        for (int j = 0; j < REG_N; j += 4) {
            int s = column + j * LANES_N;
            float *to = c + (size_t)r * n + s;
            if (aligned && s < n) {
                store_vector4(to, &sum[i][j]);
            } else {
#pragma unroll
                for (int v = 0; v < 4; v++)
                    if (s + v < n)
                        to[v] = sum[i][j + v];
            }
        }
    }
}

__global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    /* From block number to tile: band by band, and column by column within a band. */
    int tile_rows = (m + TILE_M - 1) / TILE_M;
    int tile_columns = (n + TILE_N - 1) / TILE_N;
    int band = blockIdx.x / (RASTER * tile_columns);
    int band_rows = min(RASTER, tile_rows - band * RASTER);
    int in_band = blockIdx.x % (RASTER * tile_columns);

    int row0 = (band * RASTER + in_band % band_rows) * TILE_M;
    int column0 = in_band / band_rows * TILE_N;

    /* Where the thread's piece starts in the block's tile. */
    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int row = warp / WARPS_N * WARP_TILE_M + lane / LANES_N * 4;
    int column = warp % WARPS_N * WARP_TILE_N + lane % LANES_N * 4;

    float sum[REG_M][REG_N];
#pragma unroll
    for (int i = 0; i < REG_M; i++)
#pragma unroll
        for (int j = 0; j < REG_N; j++)
            sum[i][j] = 0.0f;

    origin from;
    find_origin(from, a, b, row0, column0, m, n, k);
    passage in;
    load_tiles(in, from, k, n - column0);
    store_tiles(in, 0);
    __syncthreads();
    int stage = 0;
    for (int left = k - TILE_K; left > -TILE_K; left -= TILE_K) {
#if STAGES == 2
        if (left > 0) {
            advance(from, n);
            load_tiles(in, from, left, n - column0);
        }
        multiply_tiles(sum, stage, row, column);
        stage ^= 1;
        if (left > 0)
            store_tiles(in, stage);
        __syncthreads();
#else
        multiply_tiles(sum, stage, row, column);
        __syncthreads();
        if (left > 0) {
            advance(from, n);
            load_tiles(in, from, left, n - column0);
            store_tiles(in, stage);
        }
        __syncthreads();
#endif
    }
    store_piece(c, sum, row0 + row, column0 + column, m, n);
}
