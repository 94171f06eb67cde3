/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pack.cuh - copies of an operand that a main loop reads with less effort, made by a kernel of their own.
 *
 * Rows that do not start at multiples of four floats cannot be copied four at a time, and a row-major left operand is
 * transposed on its way into shared memory, float by float. Each of these small copies occupies the pipeline that also
 * reads shared memory for the multiply-adds. A matrix of n x n is used in 2 n / TILE tiles, so copying it once costs
 * little where n is large: 0.6 % of the time at 8192.
 *
 *   transpose_panel  the transposed matrix, its rows padded to `pitch`
 *   copy_panel       the same matrix, its rows padded to `pitch`
 *
 * Blocks are PACK_SIDE x PACK_ROWS threads, one for PACK_SIDE x PACK_SIDE elements. Padding is zeros.
 */
#ifndef GEMM_PACK_CUH
#define GEMM_PACK_CUH

#define PACK_SIDE 32
#define PACK_ROWS 8

/* to[j][i] = from[i][j]; a grid of (columns / PACK_SIDE, pitch / PACK_SIDE), rounded up. */
static __device__ __forceinline__ void transpose_panel(const float *__restrict__ from, float *__restrict__ to, int rows,
                                                       int columns, int pitch)
{
    __shared__ float tile[PACK_SIDE][PACK_SIDE + 1];
    int row0 = blockIdx.y * PACK_SIDE, column0 = blockIdx.x * PACK_SIDE;
    int x = threadIdx.x;
#pragma unroll
    for (int y = threadIdx.y; y < PACK_SIDE; y += PACK_ROWS) {
        bool inside = row0 + y < rows && column0 + x < columns;
        tile[y][x] = inside ? from[(size_t)(row0 + y) * columns + column0 + x] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int y = threadIdx.y; y < PACK_SIDE; y += PACK_ROWS)
        if (column0 + y < columns && row0 + x < pitch)
            to[(size_t)(column0 + y) * pitch + row0 + x] = tile[x][y];
}

/* to[i][j] = from[i][j]; a grid of (pitch / PACK_SIDE, rows / PACK_SIDE), rounded up. */
static __device__ __forceinline__ void copy_panel(const float *__restrict__ from, float *__restrict__ to, int rows,
                                                  int columns, int pitch)
{
    int column = blockIdx.x * PACK_SIDE + threadIdx.x;
#pragma unroll
    for (int y = threadIdx.y; y < PACK_SIDE; y += PACK_ROWS) {
        int row = blockIdx.y * PACK_SIDE + y;
        if (row < rows && column < pitch)
            to[(size_t)row * pitch + column] = column < columns ? from[(size_t)row * columns + column] : 0.0f;
    }
}

#endif
