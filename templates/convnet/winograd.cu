/* SPDX-License-Identifier: Apache-2.0 */
/*
 * winograd.cu - a convolution layer with fewer multiplications: F(OUT_TILE x OUT_TILE, FILTER x FILTER).
 *
 * winograd.cuh has the transforms. Tiles of OUT_TILE x OUT_TILE pixels are computed from ALPHA x ALPHA elements of x,
 * which overlap by FILTER - 1. After the transforms, each of the ALPHA * ALPHA positions is a matrix product of its own,
 *
 *     product[position][map][tile] = sum over channel of filters[position][channel][map] * input[position][channel][tile]
 *
 * and the sum over channels costs one multiplication per position where it cost SIDE * SIDE per pixel: for 3 x 3 filters
 * 2.25 times fewer with OUT_TILE = 2, 4 with 4, 5.06 with 6; for 5 x 5 filters 2.78 with 2, 6.25 with 4. Four launches:
 * filters, input, products (product.cuh), output. All lay out positions outermost, so that reads and writes coalesce.
 *
 *   OUT_TILE  side of a tile of pixels. Planes that are no multiple of it waste the rest: 5 x 5 pixels are 36 with 2
 *             and 64 with 4.
 *   IMAGES    images at a time. The transformed input takes (ALPHA / OUT_TILE)^2 times the space of x; what fits in the
 *             L2 cache with its products needs no device memory.
 *   BLOCK_X   threads per block of the transforms.
 *   FILTER    the side of the filters.
 *   TILE_M .. MIN_BLOCKS  see product.cuh.
 *
 * Limit: the traffic between the launches, and precision: see winograd.cuh.
 */
#include "product.cuh"
#include "winograd_tiles.cuh"

/* A thread a tile of a channel; columns beyond the last tile are 0. Grid: tiles, channels. */
__global__ void __launch_bounds__(BLOCK_X)
    transform_input(const float *__restrict__ x, float *__restrict__ input, int pitch, int images, int channels,
                    int height, int width, int maps)
{
    layer shape(images, channels, height, width, maps, FILTER);
    tiling all(shape);
    int tile = blockIdx.x * BLOCK_X + threadIdx.x, channel = blockIdx.y;
    if (tile >= pitch)
        return;
    int row = all.row(tile), column = all.column(tile);
    bool exists = tile < all.count;
    const float *from = x + ((size_t)(exists ? all.image(tile) : 0) * channels + channel) * shape.plane();
    from += row * width + column;

    float d[ALPHA][ALPHA], values[ALPHA][ALPHA];
    load_tile(d, from, width, exists ? height - row : 0, width - column);
    transform<ALPHA, ALPHA, input_values>(values, d);
    float *to = input + (size_t)channel * pitch + tile;
#pragma unroll
    for (int i = 0; i < ALPHA; i++)
#pragma unroll
        for (int j = 0; j < ALPHA; j++)
            to[(size_t)(i * ALPHA + j) * channels * pitch] = values[i][j];
}

/* Grid: maps, then tiles; positions. */
__global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    multiply(const float *__restrict__ filters, int filter_pitch, const float *__restrict__ input, int pitch,
             float *__restrict__ product, int channels, int maps)
{
    extern __shared__ __align__(16) float tiles[];
    int across = (maps + TILE_M - 1) / TILE_M;
    int map0 = blockIdx.x % across * TILE_M, tile0 = blockIdx.x / across * TILE_N;
    size_t position = blockIdx.y;
    auto a = rows<TILE_M, A_PITCH>::of(filters + position * channels * filter_pitch, filter_pitch, map0, channels);
    auto b = rows<TILE_N, TILE_N>::of(input + position * channels * pitch, pitch, tile0, channels);
    piece sums;
    multiply_tiles(tiles, sums, a, b, (channels + TILE_K - 1) / TILE_K);

    float *to = product + position * maps * pitch;
#pragma unroll
    for (int i = 0; i < REG_M; i++) {
        int map = map0 + sums.row_of(i);
#pragma unroll
        for (int j = 0; j < REG_N; j += 4) {
            int tile = tile0 + sums.column_of(j);
            if (map < maps && tile < pitch)
                store_vector4(to + (size_t)map * pitch + tile, &sums.sum[i][j]);
        }
    }
}

/* A thread a tile of a map. Grid: tiles, maps. */
__global__ void __launch_bounds__(BLOCK_X)
    transform_output(const float *__restrict__ product, int pitch, float *__restrict__ y, int images, int channels,
                     int height, int width, int maps)
{
    layer shape(images, channels, height, width, maps, FILTER);
    tiling all(shape);
    int tile = blockIdx.x * BLOCK_X + threadIdx.x, map = blockIdx.y;
    if (tile >= all.count)
        return;
    float values[ALPHA][ALPHA], pixels[OUT_TILE][OUT_TILE];
    const float *from = product + (size_t)map * pitch + tile;
#pragma unroll
    for (int i = 0; i < ALPHA; i++)
#pragma unroll
        for (int j = 0; j < ALPHA; j++)
            values[i][j] = from[(size_t)(i * ALPHA + j) * maps * pitch];
    transform<OUT_TILE, ALPHA, outputs>(pixels, values);

    int row = all.row(tile), column = all.column(tile);
    float *to = y + ((size_t)all.image(tile) * maps + map) * shape.out_plane() + row * shape.out_width() + column;
    store_tile(to, pixels, shape.out_width(), shape.out_height() - row, shape.out_width() - column);
}
