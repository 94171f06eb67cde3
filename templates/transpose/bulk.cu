/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bulk.cu - B = transposed A: aligned.cu with the rows of A brought in by the copy engine.
 *
 * A thread that starts a bulk copy has done with it: no register waits for what is under way, and a block has whole
 * tiles under way while it stores another. Copies start at multiples of 16 bytes, so where the number of columns is no
 * multiple of four, each row of a tile is copied from up to three words before it and lies as much further right in
 * shared memory. The threads of a warp read a column. If the number of columns is odd, four rows in succession are
 * shifted by 0 to 3 words, in some order, so the rows are permuted such that these four share a group of four banks: a
 * column then has a word in each bank, without a word of padding more than the shift needs.
 *
 *   TILE_X, TILE_Y  columns and rows of A per tile; TILE_Y a multiple of 32.
 *   ITEMS           elements per thread and tile.
 *   GRAIN           words of an aligned segment of B, see aligned.cu.
 *   STEPS           tiles a block takes, one below the other.
 *   STAGES          tiles in shared memory: all but one are under way.
 *   UNROLL          elements a thread stores in succession that are written out.
 *   RASTER          in units of STEPS tile rows, see tile_order.cuh.
 *   STREAM          1: what is stored is hinted not to be read again.
 *
 * A starts at a multiple of four words, B at one of GRAIN. Needs sm_90.
 *
 * Limit: memory bandwidth.
 */
#include "tile_order.cuh"
#include "../bulk_copy.cuh"
#include "../vectors.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

#define THREADS (TILE_X * TILE_Y / ITEMS)
#define PITCH (TILE_X + 4)                                /* of a row in shared memory, with room to shift it */
#define HELD ((TILE_Y + GRAIN + 31) / 32 * 32)            /* rows of a buffer: GRAIN above the tile, and the tile */
#define COLUMNS_AT_ONCE (THREADS / TILE_Y)                /* of A, which the threads store */
#define COPIERS 32                                        /* threads that start copies */

extern __shared__ float4 buffers[];

struct matrix {
    const float *a;
    float *b;
    int rows, columns;
};

/* Rows 4 i to 4 i + 3 of 32 go to rows i, i + 8, i + 16 and i + 24. */
static __device__ __forceinline__ float *held_row(int stage, int row)
{
    int place = (row & ~31) | (row & 3) << 3 | (row >> 2 & 7);
    return (float *)buffers + (stage * HELD + place) * PITCH;
}

/* By how many words a row's copy starts before the tile; the tile itself is at a multiple of four. */
static __device__ __forceinline__ int shift_of(matrix m, int row)
{
    return (int)((unsigned)row * (unsigned)m.columns & 3);
}

/* The part of a row that is copied: words [first, end) of A. */
struct piece {
    size_t first, end;
};

static __device__ __forceinline__ piece piece_of(matrix m, int row, int column0)
{
    piece part;
    part.first = (size_t)row * m.columns + column0 - shift_of(m, row);
    part.end = (size_t)row * m.columns + min(column0 + TILE_X, m.columns);
    return part;
}

/* Whole vectors of it, which may reach into the next row, but not beyond A. */
static __device__ __forceinline__ int bulk_words(matrix m, piece part)
{
    size_t total = (size_t)m.rows * m.columns;
    return (int)((min(part.end + 3, total) - part.first) & ~(size_t)3);
}

/* Starts copying the tile whose first row is row0, and the rows above it of which segments have elements. */
static __device__ __forceinline__ void start_tile(matrix m, int row0, int column0, int stage,
                                                  unsigned long long *barrier)
{
    int above = m.rows % GRAIN != 0 ? GRAIN - 1 : 0;
    int first = max(row0 - above, 0), end = min(row0 + TILE_Y, m.rows), bytes = 0;
#pragma unroll 1
    for (int row = first + (int)threadIdx.x; row < end; row += COPIERS) {
        piece part = piece_of(m, row, column0);
        int words = bulk_words(m, part);
#pragma unroll 1
        for (size_t word = part.first + words; word < part.end; word++) /* at the end of A */
            held_row(stage, row - row0 + GRAIN)[word - part.first] = m.a[word];
        bytes += 4 * words;
    }
    bulk_expect(barrier, bytes);
#pragma unroll 1
    for (int row = first + (int)threadIdx.x; row < end; row += COPIERS) {
        piece part = piece_of(m, row, column0);
        int words = bulk_words(m, part);
        if (words > 0)
            bulk_copy(held_row(stage, row - row0 + GRAIN), m.a + part.first, 4 * words, barrier);
    }
}

/* A segment of each row of B. */
static __device__ __forceinline__ void store_tile(matrix m, int row0, int column0, int stage)
{
    int x = threadIdx.x / TILE_Y;
    int end = min(TILE_X, m.columns - column0);
    size_t start = (size_t)(column0 + x) * m.rows; /* of the row of B */
#pragma unroll unroll
    for (; x < end; x += COLUMNS_AT_ONCE) {
        int y = (int)(threadIdx.x % TILE_Y) - (int)(start % GRAIN);
        int row = row0 + y;
        if (row >= 0 && row < m.rows)
            store_vector<1>(m.b + start + row, held_row(stage, y + GRAIN)[x + shift_of(m, row)], STREAM > 0);
        start += (size_t)COLUMNS_AT_ONCE * m.rows;
    }
}

__global__ void __launch_bounds__(THREADS)
    transpose(const float *__restrict__ a, float *__restrict__ b, int rows, int columns, int blocks_y)
{
    __shared__ unsigned long long barriers[STAGES];

    matrix m = {a, b, rows, columns};
    tile_index at = block_tile((columns + TILE_X - 1) / TILE_X, blocks_y);
    int row0 = at.y * (TILE_Y * STEPS);
    int column0 = at.x * TILE_X;
    int steps = min(STEPS, (rows + GRAIN - 1 - row0 + TILE_Y - 1) / TILE_Y);
    bool copies = threadIdx.x < COPIERS;

    if (threadIdx.x == 0)
        for (int stage = 0; stage < STAGES; stage++)
            bulk_init(&barriers[stage], COPIERS);
    __syncthreads(); /* the barriers are ready */

    for (int step = 0; step < STAGES - 1; step++)
        if (copies && step < steps)
            start_tile(m, row0 + step * TILE_Y, column0, step, &barriers[step]);
    for (int step = 0; step < steps; step++) {
        int next = step + STAGES - 1;
        if (copies && next < steps)
            start_tile(m, row0 + next * TILE_Y, column0, next % STAGES, &barriers[next % STAGES]);
        bulk_wait(&barriers[step % STAGES], step / STAGES);
        store_tile(m, row0 + step * TILE_Y, column0, step % STAGES);
        __syncthreads(); /* the next copies may overwrite it */
    }
}
