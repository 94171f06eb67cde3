/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct.cu - a convolution layer, a thread a pixel of one map, straight from global memory.
 *
 * The definition: three loops, over channels and the rows and columns of the filter. Neighbouring threads have
 * neighbouring pixels, so their loads of x coalesce, and all read the same element of the filter.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along the columns and rows of a plane of y.
 *   FILTER            see layer.cuh.
 *   UNROLL            channels that are written out.
 *
 * Limit: two loads per multiply-add. Each element of x is read SIDE * SIDE times for each map, each element of a filter
 * for each pixel, and only the caches know of it.
 */
#include "layer.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void __launch_bounds__(BLOCK_X *BLOCK_Y)
    direct(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int images, int channels,
           int height, int width, int maps, int k)
{
    layer shape(images, channels, height, width, maps, k);
    int across = (shape.out_width() + BLOCK_X - 1) / BLOCK_X;
    int down = (shape.out_height() + BLOCK_Y - 1) / BLOCK_Y;
    int block = blockIdx.x;
    int column = block % across * BLOCK_X + threadIdx.x;
    block /= across;
    int row = block % down * BLOCK_Y + threadIdx.y;
    int plane = block / down; /* of y: counts maps, then images */
    if (row >= shape.out_height() || column >= shape.out_width())
        return;

    const float *from = x + (size_t)(plane / maps) * channels * shape.plane() + row * width + column;
    const float *filter = w + (size_t)(plane % maps) * shape.depth();
    float sum = 0.0f;
#pragma unroll unroll
    for (int c = 0; c < channels; c++) {
#pragma unroll
        for (int r = 0; r < shape.side(); r++)
#pragma unroll
            for (int s = 0; s < shape.side(); s++)
                sum += from[r * width + s] * filter[r * shape.side() + s];
        from += shape.plane();
        filter += shape.taps();
    }
    y[(size_t)plane * shape.out_plane() + row * shape.out_width() + column] = sum;
}
