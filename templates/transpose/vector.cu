/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector.cu - B = transposed A, with every access VECTOR floats wide: memory, shared memory and back.
 *
 * A thread loads VECTOR x VECTOR elements as VECTOR vectors from as many rows of A and transposes them in registers,
 * which costs nothing: the compiler renames them. What goes through shared memory are vectors along rows of B, so that
 * they are written and read there in one piece, too. An access of shared memory by a warp is 512 bytes in four steps,
 * in which eight threads must hit the eight different groups of four banks; the exclusive-or sees to that in both
 * directions. A warp takes a quarter of the instructions of unrolled.cu, and a thread has as many bytes in flight with
 * fewer of them.
 *
 *   TILE_X, TILE_Y  columns and rows of A per tile.
 *   ITEMS           elements per thread, a multiple of VECTOR x VECTOR.
 *   VECTOR          floats of an access, 2 or 4.
 *   RASTER          tile rows of a band of blocks.
 *   STREAM          1: what is stored is hinted not to be read again.
 *   FETCH   bytes that the L2 cache fetches for a load; 0: as it likes.
 *
 * Where the number of columns (or rows) is not a multiple of VECTOR, rows of A (or B) start at addresses that no vector
 * may have, and are accessed word by word: slower than aligned.cu.
 *
 * Limit: memory bandwidth.
 */
#include "tile_order.cuh"
#include "../vectors.cuh"

#define THREADS (TILE_X * TILE_Y / ITEMS)
#define VECTORS_X (TILE_X / VECTOR) /* of a row of the tile of A */
#define VECTORS_Y (TILE_Y / VECTOR) /* of a row of the tile of B */

typedef vector_of<VECTOR>::type vector;

/* Rows of B, each permuted; VECTORS_Y is a power of two. */
extern __shared__ vector tile[];
#define TILE_PLACE(x, group) ((x) * VECTORS_Y + ((group) ^ ((x) / VECTOR % VECTORS_Y)))

/* ALIGNED: rows of A and of B are whole vectors. */
template <bool ALIGNED>
static __device__ __forceinline__ void transpose_tile(const float *__restrict__ a, float *__restrict__ b, int rows,
                                                      int columns, tile_index at)
{
    int row0 = at.y * TILE_Y;
    int column0 = at.x * TILE_X;
    vector loaded[ITEMS / VECTOR];

#pragma unroll
    for (int i = 0; i < ITEMS / (VECTOR * VECTOR); i++) {
        int square = threadIdx.x + i * THREADS;
        int x = square % VECTORS_X * VECTOR;
        int y = square / VECTORS_X * VECTOR;
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            int left = row0 + y + v < rows ? columns - column0 - x : 0;
            loaded[i * VECTOR + v] = load_part<VECTOR>(
                a + (size_t)(row0 + y + v) * columns + column0 + x, left, ALIGNED, FETCH);
        }
    }
#pragma unroll
    for (int i = 0; i < ITEMS / (VECTOR * VECTOR); i++) {
        int square = threadIdx.x + i * THREADS;
        int x = square % VECTORS_X * VECTOR;
        int group = square / VECTORS_X;
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            vector turned;
#pragma unroll
            for (int w = 0; w < VECTOR; w++)
                word(turned, w) = word(loaded[i * VECTOR + w], v);
            tile[TILE_PLACE(x + v, group)] = turned;
        }
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < ITEMS / VECTOR; i++) {
        int index = threadIdx.x + i * THREADS;
        int group = index % VECTORS_Y;
        int x = index / VECTORS_Y;
        int y = row0 + group * VECTOR;
        int left = column0 + x < columns ? rows - y : 0;
        store_part<VECTOR>(b + (size_t)(column0 + x) * rows + y, tile[TILE_PLACE(x, group)], left, ALIGNED,
                           STREAM > 0);
    }
}

__global__ void __launch_bounds__(THREADS)
    transpose(const float *__restrict__ a, float *__restrict__ b, int rows, int columns)
{
    tile_index at = block_tile((columns + TILE_X - 1) / TILE_X, (rows + TILE_Y - 1) / TILE_Y);
    if (columns % VECTOR == 0 && rows % VECTOR == 0)
        transpose_tile<true>(a, b, rows, columns, at);
    else
        transpose_tile<false>(a, b, rows, columns, at);
}
