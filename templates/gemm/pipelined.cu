/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipelined.cu - C = A B, row-major: thread_coarsening.cu with asynchronous copies, sums in the right register banks,
 * and blocks that may share a tile.
 *
 * What thread_coarsening.cu loses, and what is done about it:
 *   - A fifth of the multiply-adds wait for operands that lie in the same register bank: see BANKS and ORDER in
 *     outer_product.cuh.
 *   - Values on their way from global to shared memory occupy registers, and loads and stores issue slots: pipeline.cuh
 *     has STAGES pairs of tiles, which are copied asynchronously.
 *   - The last wave of blocks is seldom full, and few tiles never fill the GPU: see SPLIT_K and split.cuh.
 *
 *   TILE_M, TILE_N, TILE_K  the tile of C and the depth of the shared tiles, a multiple of 8.
 *   REG_M, REG_N, LANES_M   the piece of C per thread, multiples of 4, and lanes of a warp along the rows of C.
 *   ORDER, BANKS            see outer_product.cuh.
 *   STAGES, FRAGMENTS, PAD  see pipeline.cuh.
 *   VECTOR                  floats per copy of B, 1 or 4. Rows of B that are no multiple of it are copied one by one.
 *   SPLIT_K                 1: a tile is a block. S > 1: a tile is S blocks, along the depth. 0: stream-K.
 *   MIN_BLOCKS              blocks that must fit on a multiprocessor, which limits the registers that the compiler
 *                           uses.
 *   RASTER                  blocks are numbered in bands of RASTER tile rows, which share rows of A and columns of B in
 *                           the L2 cache.
 *
 * Limit: of each 100 instructions 90 are multiply-adds. The other ten load fragments, and few of them can go: 8 x 16
 * values need 24 reads.
 */
#define PAD_N 0
#include "pipeline.cuh"
#include "split.cuh"

#define TILE_FLOATS (TILE_M * TILE_N)

struct corner {
    int row, column; /* of C */
};

/* From number to tile: band by band, and column by column within a band. */
static __device__ __forceinline__ corner corner_of(int tile, int m, int n)
{
    int tile_rows = (m + TILE_M - 1) / TILE_M;
    int tile_columns = (n + TILE_N - 1) / TILE_N;
    int band = tile / (RASTER * tile_columns);
    int band_rows = min(RASTER, tile_rows - band * RASTER);
    int in_band = tile % (RASTER * tile_columns);
    corner corner;
    corner.row = (band * RASTER + in_band % band_rows) * TILE_M;
    corner.column = in_band / band_rows * TILE_N;
    return corner;
}

/* The first `divided` tiles are shared by the first `sharing` blocks. */
__global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, float *__restrict__ partial,
         int m, int n, int k, int divided, int sharing)
{
    split split;
    split.tiles = divided;
    split.blocks = sharing;
    split.steps = (k + TILE_K - 1) / TILE_K;
    int block = blockIdx.x;
#if SPLIT_K == 1
    long long begin = (long long)block * split.steps, end = begin + split.steps;
#else
    bool whole = block >= sharing;
    long long begin = whole ? (long long)(divided + block - sharing) * split.steps : share_begin(split, block);
    long long end = whole ? begin + split.steps : share_begin(split, block + 1);
#endif

    extern __shared__ __align__(16) float shared[];
    float sum[REG_M][REG_N];
    bool first = true;
#pragma unroll 1
    while (begin < end) {
        int tile = (int)(begin / split.steps), step = (int)(begin % split.steps);
        int steps = (int)min((long long)(split.steps - step), end - begin);
        corner corner = corner_of(tile, m, n);

        row_panel<TILE_M, PITCH_M> rows;
        column_panel<TILE_N> columns;
        rows.open(a, corner.row, m, step * TILE_K, k);
        columns.open(b, corner.column, n, step * TILE_K);
        clear(sum);
        multiply_panels(sum, rows, columns, shared, min(k - step * TILE_K, steps * TILE_K));
        pass_sums(sum, shared);
#if SPLIT_K == 1
        store_piece(c, sum, corner.row + piece_row(), corner.column + piece_column(), m, n, n % 4 == 0);
        break;
#else
        if (steps == split.steps)
            store_piece(c, sum, corner.row + piece_row(), corner.column + piece_column(), m, n, n % 4 == 0);
        else
            store_piece(slot_of(partial, block, first, TILE_FLOATS), sum, piece_row(), piece_column(), TILE_M, TILE_N, true);
        first = false;
        begin += steps;
        __syncthreads(); /* the sums have passed through the tiles */
#endif
    }
}

#define SUMMERS 8 /* threads that share the parts of four elements */

/* Sum the parts of tile `blockIdx.y`: 32 groups of four elements per block, SUMMERS threads to each. */
__global__ void add_parts(const float *__restrict__ partial, float *__restrict__ c, int m, int n, int k, int divided,
                          int sharing)
{
    __shared__ __align__(16) float sums[SUMMERS][32][4];
    split split;
    split.tiles = divided;
    split.blocks = sharing;
    split.steps = (k + TILE_K - 1) / TILE_K;
    int tile = blockIdx.y;
    long long begin = (long long)tile * split.steps;
    int first = block_of(split, begin), last = block_of(split, begin + split.steps - 1);
    if (first == last)
        return; /* one block did it all */

    int element = (blockIdx.x * 32 + threadIdx.x) * 4;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int block = first + threadIdx.y; block <= last; block += SUMMERS) {
        float part[4];
        if (share_begin(split, block) == share_begin(split, block + 1))
            continue; /* more blocks than steps */
        load_vector<4>(part, slot_of((float *)partial, block, share_begin(split, block) >= begin, TILE_FLOATS) + element);
#pragma unroll
        for (int v = 0; v < 4; v++)
            sum[v] += part[v];
    }
    store_vector4(sums[threadIdx.y][threadIdx.x], sum);
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    for (int y = 1; y < SUMMERS; y++)
#pragma unroll
        for (int v = 0; v < 4; v++)
            sum[v] += sums[y][threadIdx.x][v];

    corner corner = corner_of(tile, m, n);
    int row = corner.row + element / TILE_N, column = corner.column + element % TILE_N;
    if (row < m)
        for (int v = 0; v < 4; v++)
            if (column + v < n)
                c[(size_t)row * n + column + v] = sum[v];
}
