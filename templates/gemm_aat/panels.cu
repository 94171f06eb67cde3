/* SPDX-License-Identifier: Apache-2.0 */
/*
 * panels.cu - C = A Aᵀ, row-major: the main loop of gemm's pipelined.cu, with rows of A on both sides.
 *
 * A thread has REG_M x REG_N elements of C in registers. The right operand's tile is stored transposed like the left
 * one's, by asynchronous copies of 4 bytes, or both come from a transposed copy of A, 16 bytes at a time;
 * ../gemm/pipeline.cuh and ../gemm/pack.cuh say how, ../gemm/outer_product.cuh why the sums lie in
 * the registers that they lie in, and ../gemm/split.cuh how blocks share a tile.
 *
 *   VARIANT panels           all tiles of C.
 *           panels_triangle  tiles on and below the diagonal, those below stored a second time, mirrored. A thread has
 *                            runs of four rows, too, so that both stores are of four floats.
 *   TILE                     side of a tile of C, of TILE / REG_M * (TILE / REG_N) threads.
 *   PACK                     1: a transposed copy of A is made first.
 *   TILE_K, STAGES, PAD, FRAGMENTS, REG_M, REG_N, LANES_M, ORDER, BANKS, READS, SLICES, SPLIT_K, MIN_BLOCKS:
 *   as in gemm.
 *
 * Limit: as gemm's. The triangle of tiles has n (n + TILE) / 2 elements, of which n (n + 1) / 2 are needed.
 */
#define TILE_M TILE
#define TILE_N TILE
#define PITCH_M (TILE + (PACK ? 0 : PAD))
#define PITCH_N PITCH_M
#include "../gemm/pack.cuh"
#include "../gemm/pipeline.cuh"
#include "../gemm/split.cuh"
#include "triangle.cuh"

/* The pitch of the transposed copy. */
static __device__ __forceinline__ int packed(int columns)
{
    return (columns + 3) / 4 * 4;
}

struct product {
    const float *a;
    float *c;
    int n, k;
    float *shared; /* the tiles of the operands */

    __device__ __forceinline__ corner corner_of(int tile) const
    {
#ifdef VARIANT_panels_triangle
        tile_place place = place_in_triangle(tile);
#else
        int tile_columns = (n + TILE - 1) / TILE;
        tile_place place;
        place.row = tile / tile_columns;
        place.column = tile % tile_columns;
#endif
        corner corner;
        corner.row = place.row * TILE;
        corner.column = place.column * TILE;
        return corner;
    }

    __device__ __forceinline__ void multiply(float (&sum)[REG_M][REG_N], corner corner, int step, int steps) const
    {
#if PACK
        column_panel<TILE_M, PITCH_M, 4> rows;
        column_panel<TILE_N, PITCH_N, 4> columns;
        rows.open(a, corner.row, n, packed(n), step * TILE_K);
        columns.open(a, corner.column, n, packed(n), step * TILE_K);
#else
        row_panel<TILE_M, PITCH_M> rows;
        row_panel<TILE_N, PITCH_N> columns;
        rows.open(a, corner.row, n, step * TILE_K, k);
        columns.open(a, corner.column, n, step * TILE_K, k);
#endif
        clear(sum);
        multiply_panels(sum, rows, columns, shared, min(k - step * TILE_K, steps * TILE_K));
        add_slices(sum, shared);
        pass_sums(sum, shared);
    }

    __device__ __forceinline__ void store(const float (&sum)[REG_M][REG_N], corner corner) const
    {
        int row = corner.row + piece_row(), column = corner.column + piece_column();
        store_piece(c, sum, row, column, n, n, n % 4 == 0);
#ifdef VARIANT_panels_triangle
        if (corner.row != corner.column)
            store_mirrored(c, sum, row, column, n, n, n % 4 == 0);
#endif
    }

    __device__ __forceinline__ void store_four(corner corner, int row, int column, const float (&sum)[4]) const
    {
        bool mirrored = false;
#ifdef VARIANT_panels_triangle
        mirrored = corner.row != corner.column;
#endif
        row += corner.row;
        column += corner.column;
        for (int v = 0; v < 4; v++) {
            if (row < n && column + v < n) {
                c[(size_t)row * n + column + v] = sum[v];
                if (mirrored)
                    c[(size_t)(column + v) * n + row] = sum[v];
            }
        }
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

static __device__ __forceinline__ product product_of(const float *a, float *c, int n, int k, float *shared)
{
    product product;
    product.a = a;
    product.c = c;
    product.n = n;
    product.k = k;
    product.shared = shared;
    return product;
}

/* The first `divided` tiles are shared by the first `sharing` blocks. */
__global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm_aat(const float *__restrict__ a, float *__restrict__ c, float *__restrict__ partial, int n, int k, int divided,
             int sharing)
{
    extern __shared__ __align__(16) float shared[];
    compute_share(product_of(a, c, n, k, shared), split_of(k, divided, sharing), partial);
}

__global__ void pack_a(const float *__restrict__ a, float *__restrict__ to, int n, int k)
{
    transpose_panel(a, to, n, k, packed(n));
}

__global__ void add_parts(const float *__restrict__ partial, float *__restrict__ c, int n, int k, int divided,
                          int sharing)
{
    add_shares(product_of(0, c, n, k, 0), split_of(k, divided, sharing), partial);
}
