/* SPDX-License-Identifier: Apache-2.0 */
/*
 * winograd_tiles.cuh - what both variants of minimal filtering share: transformed filters,
 * filters[position][channel][map], and the tiles of OUT_TILE x OUT_TILE pixels and their ALPHA x ALPHA elements of x.
 */
#ifndef CONVNET_WINOGRAD_TILES_CUH
#define CONVNET_WINOGRAD_TILES_CUH

#include "../gemm/vector.cuh"
#include "layer.cuh"
#include "winograd.cuh"

/*
 * Transform the planes of 32 maps and BLOCK_X / 32 channels, one a thread, for block number `block` of those that it
 * takes; others do nothing. Planes are read as they lie, channel by channel, and written map by map, so they pass
 * through shared memory. Columns of `filters` beyond the last map are 0.
 */
static __device__ __forceinline__ void transform_filters_of(int block, const float *__restrict__ w,
                                                            float *__restrict__ filters, int pitch, int channels,
                                                            int maps)
{
    constexpr int taps = FILTER * FILTER, row = BLOCK_X / 32 * taps;
    __shared__ float planes[32][row + 1 - row % 2]; /* an odd number: a warp reads a column from different banks */
    int groups = (pitch + 31) / 32, map0 = block % groups * 32, channel0 = block / groups * (BLOCK_X / 32);
    if (channel0 >= channels)
        return;
    int exist = (channels - channel0) * taps; /* elements of a row */
    for (int i = threadIdx.x; i < 32 * row; i += BLOCK_X) {
        int map = i / row, element = i % row;
        bool inside = map0 + map < maps && element < exist;
        planes[map][element] = inside ? w[((size_t)(map0 + map) * channels + channel0) * taps + element] : 0.0f;
    }
    __syncthreads();

    int plane = threadIdx.x / 32, map = threadIdx.x % 32;
    if (channel0 + plane >= channels || map0 + map >= pitch)
        return;
    float g[FILTER][FILTER], values[ALPHA][ALPHA];
#pragma unroll
    for (int i = 0; i < taps; i++)
        g[i / FILTER][i % FILTER] = planes[map][plane * taps + i];
    transform<ALPHA, FILTER, filter_values>(values, g);
    float *to = filters + (size_t)(channel0 + plane) * pitch + map0 + map;
#pragma unroll
    for (int i = 0; i < ALPHA; i++)
#pragma unroll
        for (int j = 0; j < ALPHA; j++)
            to[(size_t)(i * ALPHA + j) * channels * pitch] = values[i][j];
}

/* The tiles of a layer, counted along rows, down columns and through images. */
struct tiling {
    int across, down, count;

    __device__ __forceinline__ tiling(const layer &shape)
        : across((shape.out_width() + OUT_TILE - 1) / OUT_TILE),
          down((shape.out_height() + OUT_TILE - 1) / OUT_TILE), count(shape.images * down * across)
    {
    }
    __device__ __forceinline__ int column(int tile) const
    {
        return tile % across * OUT_TILE;
    }
    __device__ __forceinline__ int row(int tile) const
    {
        return tile / across % down * OUT_TILE;
    }
    __device__ __forceinline__ int image(int tile) const
    {
        return tile / across / down;
    }
};

/* Two neighbours at once where rows are a multiple of two: all tiles then start at one. */
static __device__ __forceinline__ bool in_pairs(int row_floats)
{
    return OUT_TILE % 2 == 0 && row_floats % 2 == 0;
}

/* The elements of a tile at `from`, 0 beyond `rows` and `columns`. */
static __device__ __forceinline__ void load_tile(float (&d)[ALPHA][ALPHA], const float *from, int width, int rows,
                                                 int columns)
{
    if (in_pairs(width)) {
#pragma unroll
        for (int i = 0; i < ALPHA; i++) {
#pragma unroll
            for (int j = 0; j < ALPHA; j += 2) {
                d[i][j] = d[i][j + 1] = 0.0f;
                if (i < rows && j < columns)
                    load_vector<2>(&d[i][j], from + i * width + j);
            }
        }
    } else {
#pragma unroll
        for (int i = 0; i < ALPHA; i++)
#pragma unroll
            for (int j = 0; j < ALPHA; j++)
                d[i][j] = i < rows && j < columns ? from[i * width + j] : 0.0f;
    }
}

#endif
