/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pixels.cuh - storing a piece of the product of filters and pixels into y: rows are maps, columns pixels.
 *
 * Pixels of an image are contiguous in each map of y, but the next image's are a whole set of maps further. Where a
 * plane is a multiple of four pixels, no run of four columns crosses from one image to the next, and all are aligned.
 */
#ifndef CONVNET_PIXELS_CUH
#define CONVNET_PIXELS_CUH

#include "layer.cuh"
#include "product.cuh"

/* Store the piece whose tile starts at `map0` and `pixel0`. */
static __device__ __forceinline__ void store_pixels(float *__restrict__ y, const layer &shape, const piece &from,
                                                    int map0, int pixel0)
{
    int plane = shape.out_plane(), pixels = shape.pixels();
    bool aligned = plane % 4 == 0;
#pragma unroll
    for (int j = 0; j < REG_N; j += 4) {
        int pixel = pixel0 + column_of(j);
        if (aligned) {
            float *to = y + shape.output(min(pixel, pixels - 1));
#pragma unroll
            for (int i = 0; i < REG_M; i++) {
                int map = map0 + row_of(i);
                if (map < shape.maps && pixel < pixels)
                    store_vector4(to + (size_t)map * plane, &from[i][j]);
            }
        } else {
#pragma unroll
            for (int v = 0; v < 4; v++) {
                float *to = y + shape.output(min(pixel + v, pixels - 1));
#pragma unroll
                for (int i = 0; i < REG_M; i++) {
                    int map = map0 + row_of(i);
                    if (map < shape.maps && pixel + v < pixels)
                        to[(size_t)map * plane] = from[i][j + v];
                }
            }
        }
    }
}

#endif
