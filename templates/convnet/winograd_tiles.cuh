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

/* Transform a filter's plane. Columns of `filters` beyond the last map are 0. */
static __device__ __forceinline__ void transform_filter(const float *__restrict__ w, float *__restrict__ filters,
                                                        int pitch, int channels, int maps, int map, int channel)
{
    float g[FILTER][FILTER], values[ALPHA][ALPHA];
    const float *from = w + ((size_t)min(map, maps - 1) * channels + channel) * (FILTER * FILTER);
    if (map >= pitch)
        return;
#pragma unroll
    for (int i = 0; i < FILTER; i++)
#pragma unroll
        for (int j = 0; j < FILTER; j++)
            g[i][j] = map < maps ? from[i * FILTER + j] : 0.0f;
    transform<ALPHA, FILTER, filter_values>(values, g);
    float *to = filters + (size_t)channel * pitch + map;
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
