/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipeline.cuh - the main loop of a matrix product whose tiles stream through shared memory: STAGES pairs of tiles, of
 * which one is used while the others are on their way.
 *
 * A panel is a strip of a matrix, TILE_M rows of the left operand or TILE_N columns of the right one, that a block
 * walks along the depth. Each thread copies its share of each tile asynchronously (../async.cuh); there are no values
 * that wait in registers, and one barrier per tile. Rows and columns beyond the matrix are clamped to the last ones
 * (what is computed there is never stored); steps beyond the depth are zeros.
 *
 *   row_panel     the depth runs along memory, as in the rows of a row-major left operand. The tile is stored
 *                 transposed, by copies of 4 bytes: eight lanes take eight steps of a row, a sector of memory, and
 *                 with PAD = 4 the 32 lanes of a warp write to 32 banks.
 *   column_panel  the depth runs across memory, as in the columns of a row-major right operand: copies of FLOATS
 *                 floats, for which every row must start at a multiple of them.
 *
 *   STAGES     pairs of tiles, 2 or more.
 *   FRAGMENTS  steps whose values a thread holds: 2 (3) reads those of the next step (the one after that) before this
 *              one's are multiplied, across the barrier as well. 1 reads a step's values just before, and leaves it to
 *              the compiler to do so earlier.
 *
 * Nothing in the loop branches: the compiler can then spread copies and addresses among the multiply-adds, where they
 * fill slots that would be lost. With a branch they stand together, and a fifteenth of the speed is gone.
 *
 * The tiles take STAGES * TILE_K * (PITCH_M + PITCH_N) floats of dynamic shared memory; the includer defines the
 * pitches.
 */
#ifndef GEMM_PIPELINE_CUH
#define GEMM_PIPELINE_CUH

#include "../async.cuh"
#include "outer_product.cuh"

#define STAGE_FLOATS (TILE_K * (PITCH_M + PITCH_N))
#define STEPS (TILE_K / SLICES) /* of a slice, in a tile */

/*
 * WIDTH rows of a row-major matrix, PITCH floats apart in the tile. WIDTH and THREADS are powers of two, so that a
 * thread's copies lie constant distances apart in the tile. In the matrix they differ by 32-bit offsets: a panel has
 * less than 2**32 elements.
 */
template <int WIDTH, int PITCH> struct row_panel {
    static const int COPIES = WIDTH * TILE_K / THREADS;
    static const int ROWS = THREADS < 8 * WIDTH ? 8 * WIDTH / THREADS : 1;  /* copies for eight steps */
    static const int GROUPS = THREADS > 8 * WIDTH ? THREADS / (8 * WIDTH) : 1; /* of eight steps, at a time */
    const float *from;       /* the panel's first row, at the step of the next tile */
    unsigned offset[COPIES]; /* of each copy's source from there */
    int to;                  /* of the first copy, in the tile */
    int step;                /* of the first copy */

    static __device__ __forceinline__ constexpr int row_of(int copy)
    {
        return copy % ROWS * (THREADS / 8);
    }

    static __device__ __forceinline__ constexpr int step_of(int copy)
    {
        return copy / ROWS * (8 * GROUPS);
    }

    /* From row `row0` and step `step0` on; `rows` rows of `depth` floats. */
    __device__ __forceinline__ void open(const float *__restrict__ matrix, int row0, int rows, int step0, int depth)
    {
        int row = threadIdx.x / 8 % WIDTH;
        step = threadIdx.x % 8 + threadIdx.x / (8 * WIDTH) * 8;
        to = step * PITCH + row;
        from = matrix + (size_t)row0 * depth + step0;
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            offset[i] = (unsigned)min(row + row_of(i), rows - 1 - row0) * depth + step + step_of(i);
    }

    /* The next tile, of which `left` steps are inside. */
    __device__ __forceinline__ void copy(float *tile, int left)
    {
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            copy1(tile + to + step_of(i) * PITCH + row_of(i), from + offset[i], step < left - step_of(i));
        from += TILE_K;
    }
};

/* WIDTH columns of a row-major matrix, in the same way, FLOATS at a time. Its rows are `pitch` floats apart. */
template <int WIDTH, int PITCH, int FLOATS> struct column_panel {
    static const int VECTORS = WIDTH / FLOATS; /* in a row of the tile */
    static const int ALL = TILE_K * VECTORS;   /* in the tile */
    static const int COPIES = (ALL + THREADS - 1) / THREADS;
    static const int COLUMNS = THREADS < VECTORS ? VECTORS / THREADS : 1; /* copies for a step */
    static const int AT_ONCE = THREADS > VECTORS ? THREADS / VECTORS : 1; /* steps at a time */
    const float *from;
    unsigned offset[COPIES];
    size_t stride;    /* from tile to tile */
    int columns_left; /* from the first copy's column to the edge */
    int to, step;
    bool aligned;

    static __device__ __forceinline__ constexpr int column_of(int copy)
    {
        return copy % COLUMNS * (THREADS * FLOATS);
    }

    static __device__ __forceinline__ constexpr int step_of(int copy)
    {
        return copy / COLUMNS * AT_ONCE;
    }

    /* From column `column0` and step `step0` on. */
    __device__ __forceinline__ void open(const float *__restrict__ matrix, int column0, int columns, int pitch,
                                         int step0)
    {
        int column = threadIdx.x % VECTORS * FLOATS;
        step = threadIdx.x / VECTORS;
        to = step * PITCH + column;
        columns_left = columns - column0 - column;
        stride = (size_t)TILE_K * pitch;
        aligned = pitch % FLOATS == 0;
        from = matrix + (size_t)step0 * pitch + column0;
        int last = (aligned ? pitch - FLOATS : columns - 1) - column0;
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            offset[i] = (unsigned)(step + step_of(i)) * pitch + min(column + column_of(i), last);
    }

    static __device__ __forceinline__ void copy_floats(float *to, const float *from, bool inside)
    {
        if (FLOATS == 4)
            copy4(to, from, inside);
        else
            copy1(to, from, inside);
    }

    /* The next tile, of which `left` steps are inside; `aligned` only. */
    __device__ __forceinline__ void copy(float *tile, int left)
    {
        if (ALL < THREADS && threadIdx.x >= ALL)
            return; /* a small tile has nothing for this thread */
#pragma unroll
        for (int i = 0; i < COPIES; i++)
            copy_floats(tile + to + step_of(i) * PITCH + column_of(i), from + offset[i], step < left - step_of(i));
        from += stride;
    }

    /* The same, float by float. */
    __device__ __forceinline__ void copy_unaligned(float *tile, int left)
    {
        if (ALL < THREADS && threadIdx.x >= ALL)
            return;
#pragma unroll
        for (int i = 0; i < COPIES; i++)
#pragma unroll 1
            for (int v = 0; v < FLOATS; v++)
                copy1(tile + to + step_of(i) * PITCH + column_of(i) + v, from + offset[i] + v,
                              step < left - step_of(i) && column_of(i) + v < columns_left);
        from += stride;
    }
};

/*
 * sum += the product of both panels over `left` steps, by way of tiles in `shared` memory. Ends with a barrier, when no
 * copies are under way and no thread uses the tiles any more.
 */
template <class LEFT, class RIGHT>
static __device__ __forceinline__ void multiply_panels(float (&sum)[REG_M][REG_N], LEFT &left_panel, RIGHT &right_panel,
                                                       float *shared, int left)
{
    int tiles = (left + TILE_K - 1) / TILE_K;
#pragma unroll
    for (int stage = 0; stage < STAGES - 1; stage++) {
        float *tile = shared + stage * STAGE_FLOATS;
        left_panel.copy(tile, left);
        right_panel.copy(tile + TILE_K * PITCH_M, left);
        copies_commit();
        left -= TILE_K;
    }
    copies_wait<STAGES - 2>();
    __syncthreads();

    int used = 0, filled = STAGES - 1; /* stages */
    int a_at = slice() * STEPS * PITCH_M + piece_row();
    int b_at = TILE_K * PITCH_M + slice() * STEPS * PITCH_N + piece_column();
    const float *a = shared + a_at, *b = shared + b_at;
    const int ahead = FRAGMENTS - 1, buffers = ahead > 1 ? 4 : 2; /* powers of two divide STEPS */
    const int last = STEPS - (ahead > 1 ? ahead : 1);             /* after which this pair of tiles is not read */
    float a_values[buffers][REG_M], b_values[buffers][REG_N];
#pragma unroll
    for (int p = 0; p < ahead; p++) {
        load_fragment<REG_M, LANES_M>(a_values[p], a + p * PITCH_M);
        load_fragment<REG_N, LANES_N>(b_values[p], b + p * PITCH_N);
    }
#pragma unroll 1
    for (int tile = 0; tile < tiles; tile++) {
#pragma unroll
        for (int p = 0; p < STEPS; p++) {
            if (ahead == 0) {
                load_fragment<REG_M, LANES_M>(a_values[p % buffers], a + p * PITCH_M);
                load_fragment<REG_N, LANES_N>(b_values[p % buffers], b + p * PITCH_N);
            }
            if (p == last) { /* on to the next pair of tiles, which has arrived by now */
                copies_wait<STAGES - 2>();
                __syncthreads();
                used = used + 1 == STAGES ? 0 : used + 1;
                a = shared + used * STAGE_FLOATS + a_at;
                b = shared + used * STAGE_FLOATS + b_at;
            }
            if (ahead > 0) {
                load_fragment<REG_M, LANES_M>(a_values[(p + ahead) % buffers], a + (p + ahead) % STEPS * PITCH_M);
                load_fragment<REG_N, LANES_N>(b_values[(p + ahead) % buffers], b + (p + ahead) % STEPS * PITCH_N);
            }
            if (p == 0) { /* the stage that was used last is free since the barrier */
                float *next = shared + filled * STAGE_FLOATS;
                left_panel.copy(next, left);
                right_panel.copy(next + TILE_K * PITCH_M, left);
                copies_commit();
                left -= TILE_K;
                filled = filled + 1 == STAGES ? 0 : filled + 1;
            }
#if READS == 2
            __syncwarp();
#endif
            multiply(sum, a_values[p % buffers], b_values[p % buffers]);
        }
    }
    copies_wait<0>();
    __syncthreads();
}

/*
 * The same where the right panel's rows are not aligned: a tile at a time, in a loop that is not written out. This is
 * for correctness; VECTOR = 1 is how to be fast there.
 */
template <class LEFT, class RIGHT>
static __device__ __forceinline__ void multiply_unaligned(float (&sum)[REG_M][REG_N], LEFT &left_panel,
                                                          RIGHT &right_panel, float *shared, int left)
{
    float *right_tile = shared + TILE_K * PITCH_M;
#pragma unroll 1
    for (; left > 0; left -= TILE_K) {
        left_panel.copy(shared, left);
        right_panel.copy_unaligned(right_tile, left);
        copies_commit();
        copies_wait<0>();
        __syncthreads();
#pragma unroll 1
        for (int p = slice() * STEPS; p < (slice() + 1) * STEPS; p++) {
            float a_values[REG_M], b_values[REG_N];
            load_fragment<REG_M, LANES_M>(a_values, shared + piece_row() + p * PITCH_M);
            load_fragment<REG_N, LANES_N>(b_values, right_tile + piece_column() + p * PITCH_N);
            multiply(sum, a_values, b_values);
        }
        __syncthreads();
    }
}

#endif
