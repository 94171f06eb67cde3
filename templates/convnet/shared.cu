/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shared.cu - a convolution layer: the filters of several maps in shared memory, and tiles of x too.
 *
 * A block computes BLOCK_X x BLOCK_Y pixels, MAPS maps and IMAGES images; a thread has one pixel in all of these, in
 * registers. Channel by channel (CHANNELS at a time), the block copies what all its threads need:
 *   - the filters' planes of MAPS maps. All threads read the same element at the same time, which is a broadcast, and
 *     four maps at once, since maps are contiguous in shared memory. Copied once, they serve all IMAGES images.
 *   - with SHARE = "both" the part of x that the pixels' windows cover, (BLOCK_X + SIDE - 1) x (BLOCK_Y + SIDE - 1) per
 *     channel; with "filters" threads read x from global memory. Either way an element that a thread has read is used
 *     for MAPS multiply-adds.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along the columns and rows of a plane of y.
 *   MAPS              maps per thread: 1 or a multiple of 4.
 *   IMAGES            images per block.
 *   CHANNELS          channels in shared memory at a time: two barriers for so many, and for each image.
 *   FILTER            see layer.cuh.
 *   SHARE             "filters" or "both".
 *
 * Limit: one value of x per thread and step, so that each load serves MAPS multiply-adds only; and blocks must fit
 * planes: one of 5 x 5 pixels leaves most of their threads without work. implicit.cu has neither.
 */
#include "../gemm/vector.cuh"
#include "layer.cuh"

#define THREADS (BLOCK_X * BLOCK_Y)
#define RUN (MAPS % 4 == 0 ? 4 : 1) /* maps read at once */

/* The elements [channel * taps][MAPS] of `channels` channels from `channel0` on; 0 for maps that there are not. */
static __device__ __forceinline__ void load_filters(float *filters, const layer &shape, const float *__restrict__ w,
                                                    int map0, int channel0, int channels)
{
    int rows = channels * shape.taps();
    for (int i = threadIdx.y * BLOCK_X + threadIdx.x; i < rows * MAPS; i += THREADS) {
        int row = i % rows, map = i / rows; /* neighbours in w */
        filters[row * MAPS + map] =
            map0 + map < shape.maps ? w[(size_t)(map0 + map) * shape.depth() + channel0 * shape.taps() + row] : 0.0f;
    }
}

#if SHARE_both
/* The windows of the block's pixels in `channels` channels at `x`; 0 beyond the plane. */
static __device__ __forceinline__ void load_input(float *input, const layer &shape, const float *__restrict__ x,
                                                  int row0, int column0, int channels)
{
    int rows = BLOCK_Y + shape.side() - 1, columns = BLOCK_X + shape.side() - 1;
    for (int i = threadIdx.y * BLOCK_X + threadIdx.x; i < channels * rows * columns; i += THREADS) {
        int row = row0 + i / columns % rows, column = column0 + i % columns, channel = i / columns / rows;
        bool inside = row < shape.height && column < shape.width;
        input[i] = inside ? x[(size_t)channel * shape.plane() + row * shape.width + column] : 0.0f;
    }
}
#endif

/* Add one plane's window at `from`, whose rows are `pitch` apart, times the filters' plane. */
static __device__ __forceinline__ void add_window(float (&sum)[MAPS], const layer &shape, const float *from, int pitch,
                                                  const float *filter)
{
#pragma unroll
    for (int r = 0; r < shape.side(); r++) {
#pragma unroll
        for (int s = 0; s < shape.side(); s++) {
            float value = from[r * pitch + s], taps[MAPS];
#pragma unroll
            for (int m = 0; m < MAPS; m += RUN)
                load_vector<RUN>(&taps[m], filter + (r * shape.side() + s) * MAPS + m);
#pragma unroll
            for (int m = 0; m < MAPS; m++)
                sum[m] += value * taps[m];
        }
    }
}

__global__ void __launch_bounds__(THREADS)
    direct_shared(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int images,
                  int channels, int height, int width, int maps, int k)
{
    extern __shared__ __align__(16) float filters[]; /* of CHANNELS channels; then the tile of x */
    layer shape(images, channels, height, width, maps, k);
    int across = (shape.out_width() + BLOCK_X - 1) / BLOCK_X;
    int down = (shape.out_height() + BLOCK_Y - 1) / BLOCK_Y;
    int groups = (maps + MAPS - 1) / MAPS;
    int block = blockIdx.x;
    int column0 = block % across * BLOCK_X;
    block /= across;
    int row0 = block % down * BLOCK_Y;
    block /= down;
    int map0 = block % groups * MAPS;
    int image0 = block / groups * IMAGES;
    int row = row0 + threadIdx.y, column = column0 + threadIdx.x;
    bool has_pixel = row < shape.out_height() && column < shape.out_width();
    size_t image_floats = (size_t)channels * shape.plane();

    float sum[IMAGES][MAPS];
#pragma unroll
    for (int n = 0; n < IMAGES; n++)
#pragma unroll
        for (int m = 0; m < MAPS; m++)
            sum[n][m] = 0.0f;

    for (int channel0 = 0; channel0 < channels; channel0 += CHANNELS) {
        int count = min(CHANNELS, channels - channel0);
        __syncthreads(); /* the filters of the channels before are done with */
        load_filters(filters, shape, w, map0, channel0, count);
#if SHARE_filters
        __syncthreads();
#endif
#pragma unroll
        for (int n = 0; n < IMAGES; n++) {
            /* Images beyond the last repeat it; what they give is not stored. */
            const float *image = x + min(image0 + n, images - 1) * image_floats + (size_t)channel0 * shape.plane();
#if SHARE_both
            int pitch = BLOCK_X + shape.side() - 1, plane = pitch * (BLOCK_Y + shape.side() - 1);
            float *input = filters + CHANNELS * shape.taps() * MAPS;
            if (n > 0)
                __syncthreads(); /* the tile of the image before is done with */
            load_input(input, shape, image, row0, column0, count);
            __syncthreads();
            const float *from = input + threadIdx.y * pitch + threadIdx.x;
#else
            int pitch = width, plane = shape.plane();
            const float *from = image + row * width + column;
#endif
            if (has_pixel)
                for (int c = 0; c < count; c++)
                    add_window(sum[n], shape, from + c * plane, pitch, filters + c * shape.taps() * MAPS);
        }
    }

    if (!has_pixel)
        return;
#pragma unroll
    for (int n = 0; n < IMAGES; n++)
#pragma unroll
        for (int m = 0; m < MAPS; m++)
            if (image0 + n < images && map0 + m < maps)
                y[((size_t)(image0 + n) * maps + map0 + m) * shape.out_plane() + row * shape.out_width() + column] =
                    sum[n][m];
}
