/* SPDX-License-Identifier: Apache-2.0 */
/*
 * product.cuh - the main loop of the variants that are matrix products: a TILE_M x TILE_N tile of A B per block, a
 * REG_M x REG_N piece of it in the registers of each thread.
 *
 * What a thread does with its tiles is that of templates/gemm: outer_product.cuh explains the piece, its lanes, and how
 * its multiply-adds find their operands in different register banks. For each step along the depth a thread reads REG_M
 * values of A and REG_N of B from shared memory and adds their outer product. Around that:
 *   - Tiles arrive by asynchronous copies, STAGES - 1 tiles ahead, and pass no registers. One barrier a tile.
 *   - With PREFETCH the values of the next step are read while this one is multiplied, also from one tile to the next:
 *     the barrier stands before the last step of a tile, not after it.
 *   - Where the tiles come from is left to two loaders: objects with `next(tile)`, which issues the thread's share of
 *     the copies of the next TILE_K steps, and `look_ahead()`, which prepares the `next` that follows after a barrier.
 *     `rows` is one, for a matrix whose rows are steps; implicit.cu has others.
 *   - What becomes of the sums is left to `finish`.
 *
 *   TILE_M, TILE_N, TILE_K  the tile of the product and the depth of the shared tiles.
 *   REG_M, REG_N, LANES_M   the piece per thread, multiples of 4, and lanes of a warp along the rows of the product.
 *   ORDER, BANKS, READS     see outer_product.cuh.
 *   PAD                     floats added to each row of the tile of A, for loaders that store it by columns.
 *   STAGES                  pairs of shared tiles, at least 2.
 *   PREFETCH                1: two sets of operands in registers.
 *   UNROLL                  steps that are written out; an even divisor of TILE_K.
 *   MIN_BLOCKS              blocks that must fit on a multiprocessor, which limits the registers.
 *
 * Limit: the FMA pipe. Of its slots a piece of 8 x 8 loses 4 in 64 to reading the operands and some more to the copies.
 */
#ifndef CONVNET_PRODUCT_CUH
#define CONVNET_PRODUCT_CUH

#include "../async.cuh"
#include "../gemm/outer_product.cuh"

#define A_PITCH (TILE_M + PAD)
#define STAGE_FLOATS (TILE_K * (A_PITCH + TILE_N))

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

typedef float piece[REG_M][REG_N]; /* the sums of a thread */

/* Row i of the thread's piece in the block's tile, and where the run of columns j .. j + 3 starts in it. */
static __device__ __forceinline__ int row_of(int i)
{
    return piece_row() + piece_step(i, LANES_M);
}

static __device__ __forceinline__ int column_of(int j)
{
    return piece_column() + piece_step(j, LANES_N);
}

/* The operands of one step. */
struct operands {
    float a[REG_M], b[REG_N];

    __device__ __forceinline__ void read(const float *stage, int p)
    {
        load_fragment<REG_M, LANES_M>(a, stage + p * A_PITCH + piece_row());
        load_fragment<REG_N, LANES_N>(b, stage + TILE_K * A_PITCH + p * TILE_N + piece_column());
    }
};

/*
 * Add `count` tiles along the depth, and give the sums to `finish` after every `period` of them. In shared memory
 * `tiles` has STAGES pairs of tiles, TILE_K rows of A_PITCH floats and TILE_K rows of TILE_N each; and, if BANKS is not
 * 0, four floats a thread for the sums to pass through. The copies of tile t + STAGES - 1 are issued in tile t, into
 * the pair that tile t - 1 has left: since the last barrier nobody reads from that pair.
 */
template <class A, class B, class FINISH>
static __device__ __forceinline__ void multiply_tiles(float *tiles, piece &to, A &a, B &b, int count, int period,
                                                      FINISH &finish)
{
    int left = period; /* until the sums are complete */
#pragma unroll
    for (int t = 0; t < STAGES - 1; t++) {
        if (t < count) {
            a.next(tiles + t * STAGE_FLOATS);
            b.next(tiles + t * STAGE_FLOATS + TILE_K * A_PITCH);
        }
        copies_commit();
    }
    copies_wait<STAGES - 2>();
    __syncthreads();

    const float *used = tiles;
    float *filled = tiles + (STAGES - 1) * STAGE_FLOATS;
    operands step[PREFETCH + 1];
    if (PREFETCH)
        step[0].read(used, 0);
    for (int t = 0; t < count; t++) {
        if (t + STAGES - 1 < count) {
            a.next(filled);
            b.next(filled + TILE_K * A_PITCH);
        }
        b.look_ahead();
        copies_commit();
        filled = filled == tiles + (STAGES - 1) * STAGE_FLOATS ? tiles : filled + STAGE_FLOATS;
#pragma unroll unroll
        for (int p = 0; p < TILE_K; p++) {
            if (!PREFETCH)
                step[0].read(used, p);
            if (p == TILE_K - 1) {
                used = used == tiles + (STAGES - 1) * STAGE_FLOATS ? tiles : used + STAGE_FLOATS;
                copies_wait<STAGES - 2>();
                __syncthreads();
            }
            if (PREFETCH && (p < TILE_K - 1 || t + 1 < count))
                step[(p + 1) % (PREFETCH + 1)].read(used, (p + 1) % TILE_K);
            multiply(to, step[p % (PREFETCH + 1)].a, step[p % (PREFETCH + 1)].b);
        }
        if (--left == 0) {
            pass_sums(to, tiles + STAGES * STAGE_FLOATS);
            finish(to);
            left = period;
        }
    }
}

/* Add `count` tiles, perhaps none. */
template <class A, class B>
static __device__ __forceinline__ void multiply_tiles(float *tiles, piece &to, A &a, B &b, int count)
{
    struct nothing {
        __device__ __forceinline__ void operator()(piece &)
        {
        }
    } finish;
    if (count > 0)
        multiply_tiles(tiles, to, a, b, count, count, finish);
}

/*
 * A loader for rows of floats, one per step along the depth, `pitch` apart; everything is a multiple of four, and WIDTH
 * columns are copied four at a time. In shared memory a row takes TO floats.
 */
template <int WIDTH, int TO> struct rows {
    static constexpr int vectors = WIDTH / 4;      /* in a row of the tile */
    static constexpr int step = THREADS / vectors; /* rows that the block copies at once */
    static constexpr int copies = (TILE_K + step - 1) / step;
    static_assert(THREADS % vectors == 0, "a thread copies from one column");

    const float *from; /* the thread's first element in the next tile */
    size_t pitch;
    int row, to, left; /* `left`: rows from the thread's first on */

    /* The column of the tile from which the thread copies. */
    static __device__ __forceinline__ int column()
    {
        return threadIdx.x % vectors * 4;
    }
    /* `start` is where that column starts in the first of `depth` rows. */
    __device__ __forceinline__ rows(const float *start, size_t pitch, int depth) : pitch(pitch)
    {
        row = threadIdx.x / vectors;
        to = row * TO + column();
        left = depth - row;
        from = start + row * pitch;
    }
    /* Of a matrix; the tile's columns beyond the matrix repeat its last four. */
    static __device__ __forceinline__ rows of(const float *matrix, int pitch, int column0, int depth)
    {
        return rows(matrix + min(column0 + column(), pitch - 4), pitch, depth);
    }
    __device__ __forceinline__ void next(float *tile)
    {
#pragma unroll
        for (int i = 0; i < copies; i++)
            if (TILE_K % step == 0 || row + i * step < TILE_K)
                copy4(tile + to + i * step * TO, from + i * step * pitch, i * step < left);
        from += TILE_K * pitch;
        left -= TILE_K;
    }
    __device__ __forceinline__ void look_ahead()
    {
    }
};

#endif
