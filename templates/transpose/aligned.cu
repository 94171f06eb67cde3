/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aligned.cu - B = transposed A, storing whole aligned segments of B whatever the number of rows.
 *
 * Memory is written in sectors of 32 bytes, and the L2 cache has lines of four. If the number of rows is odd, say, each
 * row of B starts somewhere else within a sector, so that a tile of 64 rows of A writes 9 sectors to each row of B, two
 * of them in part; the rest comes with the next tile. A sector that leaves the cache between the two is written twice,
 * and read to be completed. Here a row of B is cut where its addresses are multiples of GRAIN words: the piece of each
 * row starts up to GRAIN - 1 elements before the tile's first row and ends as many before its last. Elements of GRAIN -
 * 1 rows above the tile are read twice for that, the second time from the cache; never is a segment written twice.
 *
 * A block walks down STEPS tiles and keeps the last rows of one for the next, so that it reads twice only above the
 * first. While it stores a tile, the next one is on its way into registers.
 *
 *   TILE_X, TILE_Y  columns and rows of A per tile; TILE_Y a multiple of GRAIN.
 *   ITEMS           elements per thread and tile.
 *   PAD             words added to each row of the tile.
 *   VECTOR          floats of a store, at most GRAIN.
 *   GRAIN           words of an aligned segment of B: 8 are a sector, 32 a line.
 *   STEPS           tiles a block takes, one below the other.
 *   RASTER          in units of STEPS tile rows, see tile_order.cuh.
 *   STREAM          1: what is stored is hinted not to be read again.
 *   FETCH   bytes that the L2 cache fetches for a load; 0: as it likes.
 *
 * B starts at a multiple of GRAIN words. If the number of rows is one as well, nothing is shifted or read twice.
 *
 * Limit: memory bandwidth; loads still start anywhere, so that 64 floats of a row of A touch 9 sectors instead of 8.
 */
#include "tile_order.cuh"
#include "../vectors.cuh"

#define THREADS (TILE_X * TILE_Y / ITEMS)
#define PITCH (TILE_X + PAD)
#define ROWS_AT_ONCE (THREADS / TILE_X)                /* of A, which the block's threads load at a time */
#define COLUMNS_AT_ONCE (THREADS / (TILE_Y / VECTOR))  /* of A, which they store */

/* Rows in shared memory: a tile, the GRAIN rows above it and, if there are several, the next one, as a ring. */
#define RING ((STEPS > 1 ? 2 : 1) * TILE_Y + GRAIN)

extern __shared__ float tile[];

/* Where the row of the ring is that lies `row` rows below `first`, -RING <= row < RING. */
static __device__ __forceinline__ float *tile_row(int first, int row)
{
    int place = first + row;
    if (STEPS > 1) {
        place -= place >= RING ? RING : 0;
        place += place < 0 ? RING : 0;
    }
    return tile + place * PITCH;
}

struct matrix {
    const float *a;
    float *b;
    int rows, columns;
};

static __device__ __forceinline__ void load_tile(float *loaded, matrix m, int row0, int column0)
{
    int column = column0 + threadIdx.x % TILE_X;
    int row = row0 + threadIdx.x / TILE_X;
    const float *from = m.a + (size_t)row * m.columns + column;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        loaded[i] = 0.0f;
        if (row < m.rows && column < m.columns)
            loaded[i] = load_vector<1>(from, FETCH);
        row += ROWS_AT_ONCE;
        from += (size_t)ROWS_AT_ONCE * m.columns;
    }
}

/* The elements above the block's first tile that belong to its segments. */
static __device__ __forceinline__ void load_above(matrix m, int row0, int column0)
{
    for (int index = threadIdx.x; index < GRAIN * TILE_X; index += THREADS) {
        int row = row0 - GRAIN + index / TILE_X;
        int x = index % TILE_X;
        int shift = (int)((size_t)(column0 + x) * m.rows % GRAIN);
        if (row >= row0 - shift && row < m.rows && column0 + x < m.columns)
            tile_row(0, index / TILE_X)[x] = load_vector<1>(m.a + (size_t)row * m.columns + column0 + x, FETCH);
    }
}

/* The tile of rows row0 and below, which starts at row `first` of the ring: a segment of each row of B. */
static __device__ __forceinline__ void store_tile(matrix m, int row0, int column0, int first)
{
    int x = threadIdx.x / (TILE_Y / VECTOR);
    size_t start = (size_t)(column0 + x) * m.rows; /* of the row of B */
#pragma unroll
    for (int i = 0; i < ITEMS / VECTOR; i++) {
        int y = threadIdx.x % (TILE_Y / VECTOR) * VECTOR - (int)(start % GRAIN);
        int row = row0 + y;
        float *to = m.b + start + row;
        if (column0 + x < m.columns) {
            if (row >= 0 && row + VECTOR <= m.rows) {
                vector_of<VECTOR>::type value;
#pragma unroll
                for (int v = 0; v < VECTOR; v++)
                    word(value, v) = tile_row(first, y + v)[x];
                store_vector<VECTOR>(to, value, STREAM > 0);
            } else if (VECTOR > 1) { /* in part */
#pragma unroll
                for (int v = 0; v < VECTOR; v++)
                    if (row + v >= 0 && row + v < m.rows)
                        to[v] = tile_row(first, y + v)[x];
            }
        }
        x += COLUMNS_AT_ONCE;
        start += (size_t)COLUMNS_AT_ONCE * m.rows;
    }
}

/* The segments of the last rows may end in a tile of which all rows are below the matrix: the grid covers those, too. */
__global__ void __launch_bounds__(THREADS)
    transpose(const float *__restrict__ a, float *__restrict__ b, int rows, int columns, int blocks_y)
{
    matrix m = {a, b, rows, columns};
    tile_index at = block_tile((columns + TILE_X - 1) / TILE_X, blocks_y);
    int row0 = at.y * (TILE_Y * STEPS);
    int column0 = at.x * TILE_X;
    int first = GRAIN; /* row of the ring */
    float loaded[ITEMS];

    load_tile(loaded, m, row0, column0);
    if (row0 > 0 && rows % GRAIN != 0)
        load_above(m, row0, column0);
#pragma unroll 1
    for (int step = 0; step < STEPS && row0 < rows + GRAIN - 1; step++) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            tile_row(first, threadIdx.x / TILE_X + i * ROWS_AT_ONCE)[threadIdx.x % TILE_X] = loaded[i];
        __syncthreads();
        if (step + 1 < STEPS)
            load_tile(loaded, m, row0 + TILE_Y, column0);
        store_tile(m, row0, column0, first);
        row0 += TILE_Y;
        first += TILE_Y;
        first -= first >= RING ? RING : 0;
    }
}
