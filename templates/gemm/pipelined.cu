/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipelined.cu - C = A B, row-major: thread_coarsening.cu with asynchronous copies, sums in the right register banks,
 * and blocks that may share a tile.
 *
 * What thread_coarsening.cu loses, and what is done about it (4096 x 4096 x 4096 on an H200, ratio to cuBLAS):
 *   0.94  A fifth of the multiply-adds wait for operands that lie in the same register bank, and warps for reads of
 *         shared memory that were issued too late: BANKS, ORDER and READS in outer_product.cuh. Values on their way
 *         from global to shared memory occupy registers: STAGES pairs of tiles are copied asynchronously (pipeline.cuh).
 *   1.00  Copies stand together behind a branch, where no multiply-add can fill the gaps: the main loop has no branches.
 *   1.04  A is transposed on its way, float by float, through the pipeline that reads shared memory: PACK_A (pack.cuh).
 *   1.075
 *   The last wave of blocks is seldom full, and few tiles never fill the GPU: SPLIT_K (split.cuh), or SLICES.
 *
 *   TILE_M, TILE_N, TILE_K  the tile of C and the depth of the shared tiles, a multiple of 8.
 *   REG_M, REG_N, LANES_M   the piece of C per thread, multiples of 4, and lanes of a warp along the rows of C.
 *   ORDER, BANKS, READS,
 *   SLICES                  see outer_product.cuh.
 *   STAGES, FRAGMENTS, PAD  see pipeline.cuh.
 *   VECTOR                  floats per copy of B: 4 for rows that are a multiple of 4 long, or packed, else 1; 0 takes
 *                           whichever of them it is.
 *   PACK_A, PACK_B          1: a transposed copy of A, a copy of B with aligned rows are made first: see pack.cuh.
 *   SPLIT_K                 see split.cuh; -1 is 0 where the template expects that to be faster than 1, else 1.
 *   MIN_BLOCKS              blocks that must fit on a multiprocessor, which limits the registers that the compiler
 *                           uses. SPLIT_K = 0 counts on them.
 *   RASTER                  blocks are numbered in bands of RASTER tile rows, which share rows of A and columns of B in
 *                           the L2 cache.
 *
 * Limit: of each 100 instructions 93 are multiply-adds, five read shared memory and two copy; one multiply-add in twelve
 * comes a cycle late. At 8192 x 8192 x 8192 this makes 85 % of what the FMA pipe can do.
 */
#define PITCH_M (TILE_M + (PACK_A ? 0 : PAD))
#define PITCH_N TILE_N
#include "pack.cuh"
#include "pipeline.cuh"
#include "split.cuh"

/* The pitch of an operand that was packed. */
static __device__ __forceinline__ int packed(int columns)
{
    return (columns + 3) / 4 * 4;
}

/* FLOATS: per copy of B. */
template <int FLOATS> struct product {
    const float *a, *b;
    float *c;
    int m, n, k;
    float *shared; /* the tiles of the operands */

    /* From number to tile: band by band, and column by column within a band. */
    __device__ __forceinline__ corner corner_of(int tile) const
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

    __device__ __forceinline__ void multiply(float (&sum)[REG_M][REG_N], corner corner, int step, int steps) const
    {
#if PACK_A
        column_panel<TILE_M, PITCH_M, 4> rows;
        rows.open(a, corner.row, m, packed(m), step * TILE_K);
#else
        row_panel<TILE_M, PITCH_M> rows;
        rows.open(a, corner.row, m, step * TILE_K, k);
#endif
        column_panel<TILE_N, PITCH_N, FLOATS> columns;
        columns.open(b, corner.column, n, PACK_B ? packed(n) : n, step * TILE_K);
        clear(sum);
        int depth = min(k - step * TILE_K, steps * TILE_K);
        if (VECTOR == 0 || columns.aligned)
            multiply_panels(sum, rows, columns, shared, depth);
        else
            multiply_unaligned(sum, rows, columns, shared, depth);
        add_slices(sum, shared);
        pass_sums(sum, shared);
    }

    __device__ __forceinline__ void store(const float (&sum)[REG_M][REG_N], corner corner) const
    {
        store_piece(c, sum, corner.row + piece_row(), corner.column + piece_column(), m, n, n % 4 == 0);
    }

    __device__ __forceinline__ void store_four(corner corner, int row, int column, const float (&sum)[4]) const
    {
        row += corner.row;
        column += corner.column;
        for (int v = 0; v < 4; v++)
            if (row < m && column + v < n)
                c[(size_t)row * n + column + v] = sum[v];
    }
};

static __device__ __forceinline__ split split_of(int k, int divided, int sharing)
{
    split split;
    split.tiles = divided;
    split.blocks = sharing;
    split.steps = (k + TILE_K - 1) / TILE_K;
    return split;
}

template <int FLOATS>
static __device__ __forceinline__ product<FLOATS> product_of(const float *a, const float *b, float *c, int m, int n,
                                                             int k, float *shared)
{
    product<FLOATS> product;
    product.a = a;
    product.b = b;
    product.c = c;
    product.m = m;
    product.n = n;
    product.k = k;
    product.shared = shared;
    return product;
}

/* FLOATS: per copy of B. SHARED: the first `divided` tiles are shared by the first `sharing` blocks. */
template <int FLOATS, bool SHARED>
__global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, float *__restrict__ partial,
         int m, int n, int k, int divided, int sharing)
{
    extern __shared__ __align__(16) float shared[];
    if (SHARED)
        compute_share(product_of<FLOATS>(a, b, c, m, n, k, shared), split_of(k, divided, sharing), partial);
    else
        compute_tile(product_of<FLOATS>(a, b, c, m, n, k, shared), split_of(k, divided, sharing));
}

__global__ void pack_a(const float *__restrict__ a, float *__restrict__ to, int m, int k)
{
    transpose_panel(a, to, m, k, packed(m));
}

__global__ void pack_b(const float *__restrict__ b, float *__restrict__ to, int n, int k)
{
    copy_panel(b, to, k, n, packed(n));
}

__global__ void add_parts(const float *__restrict__ partial, float *__restrict__ c, int m, int n, int k, int divided,
                          int sharing)
{
    add_shares(product_of<1>(0, 0, c, m, n, k, 0), split_of(k, divided, sharing), partial);
}
