/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explicit.cu - a convolution layer as a matrix product, with the unrolled input as a matrix in memory.
 *
 * unroll_input writes the window of every pixel as a column (im2col): channels * SIDE * SIDE rows, one per depth. Then
 * filters (maps x depth) times that matrix (depth x pixels) is y, and the multiplication is that of any two matrices:
 * aligned rows, tiles in shared memory, a piece of the product in the registers of each thread. Now a value that has
 * been loaded from shared memory is used REG_M or REG_N times, and no block cares for the shape of planes.
 *
 * The filters are transposed first (filters.cuh), so that the tiles of both operands are rows of aligned floats.
 *
 *   BLOCK_X  threads per block of unroll_input.
 *   IMAGES   images unrolled at a time: bounds the matrix, and what fits in the L2 cache needs no device memory.
 *   FILTER   see layer.cuh.
 *   TILE_M .. MIN_BLOCKS  see product.cuh.
 *
 * Limit: each element of x is written SIDE * SIDE times and read again as often. With few maps there are few
 * multiply-adds for that: maps / 4 per byte written and read.
 */
#include "filters.cuh"
#include "pixels.cuh"

/* A thread a window and channel. Pixels are neighbours in all it reads and writes. */
__global__ void __launch_bounds__(BLOCK_X)
    unroll_input(const float *__restrict__ x, float *__restrict__ unrolled, int pitch, int images, int channels,
                 int height, int width, int maps, int k)
{
    layer shape(images, channels, height, width, maps, k);
    int pixel = blockIdx.x * BLOCK_X + threadIdx.x;
    if (pixel >= pitch)
        return;
    int channel = blockIdx.y;
    bool inside = pixel < shape.pixels();
    const float *from = x + shape.window(inside ? pixel : 0) + (size_t)channel * shape.plane();
    float *to = unrolled + (size_t)channel * shape.taps() * pitch + pixel;
#pragma unroll
    for (int r = 0; r < shape.side(); r++)
#pragma unroll
        for (int s = 0; s < shape.side(); s++)
            to[(size_t)(r * shape.side() + s) * pitch] = inside ? from[r * width + s] : 0.0f;
}

__global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    multiply_unrolled(const float *__restrict__ transposed, int filter_pitch, const float *__restrict__ unrolled,
                      int pitch, float *__restrict__ y, int images, int channels, int height, int width, int maps,
                      int k)
{
    extern __shared__ __align__(16) float tiles[];
    layer shape(images, channels, height, width, maps, k);
    int across = (maps + TILE_M - 1) / TILE_M;
    int map0 = blockIdx.x % across * TILE_M, pixel0 = blockIdx.x / across * TILE_N;
    auto a = rows<TILE_M, A_PITCH>::of(transposed, filter_pitch, map0, shape.depth());
    auto b = rows<TILE_N, TILE_N>::of(unrolled, pitch, pixel0, shape.depth());
    piece sums;
    clear(sums);
    multiply_tiles(tiles, sums, a, b, (shape.depth() + TILE_K - 1) / TILE_K);
    store_pixels(y, shape, sums, map0, pixel0);
}
