/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layer.cuh - the shapes of a convolution layer, and where their elements lie.
 *
 *     x[image][channel][row][column]    `images` inputs of `channels` planes of `height` x `width`
 *     w[map][channel][r][s]             `maps` filters of `channels` planes of SIDE x SIDE
 *     y[image][map][row][column]        = sum over channel, r, s of x[image][channel][row + r][column + s] * w[...]
 *
 * No padding: a plane of y has height - SIDE + 1 rows of width - SIDE + 1 pixels. A pixel of y is named by one number
 * that counts through the images; an element of a filter by its depth, (channel * SIDE + r) * SIDE + s. What makes
 * this layer a matrix product, y[map][pixel] = sum over depth of w[map][depth] * x[...], is that the address in x is a
 * sum: one offset that depends on the pixel, and one that depends on the depth.
 *
 * Arrays have fewer than 2^31 elements.
 *
 *   FILTER  the side of the filters, where the compiler may know it: divisions by it become multiplications, and loops
 *           over r and s are written out. 0: the side is an argument like the other sizes.
 */
#ifndef CONVNET_LAYER_CUH
#define CONVNET_LAYER_CUH

struct layer {
    int images, channels, height, width, maps, k;

    __device__ __forceinline__ layer(int images, int channels, int height, int width, int maps, int k)
        : images(images), channels(channels), height(height), width(width), maps(maps), k(k)
    {
    }
    __device__ __forceinline__ int side() const
    {
#if FILTER > 0
        return FILTER;
#else
        return k;
#endif
    }
    __device__ __forceinline__ int taps() const /* of a filter, per channel */
    {
        return side() * side();
    }
    __device__ __forceinline__ int depth() const
    {
        return channels * taps();
    }
    __device__ __forceinline__ int plane() const /* elements of a plane of x */
    {
        return height * width;
    }
    __device__ __forceinline__ int out_height() const
    {
        return height - side() + 1;
    }
    __device__ __forceinline__ int out_width() const
    {
        return width - side() + 1;
    }
    __device__ __forceinline__ int out_plane() const
    {
        return out_height() * out_width();
    }
    __device__ __forceinline__ int pixels() const
    {
        return images * out_plane();
    }

    /* Where the window of a pixel starts in x. */
    __device__ __forceinline__ size_t window(int pixel) const
    {
        int image = pixel / out_plane(), rest = pixel % out_plane();
        int row = rest / out_width(), column = rest % out_width();
        return (size_t)image * channels * plane() + row * width + column;
    }
    /* How far from the start of its window the element lies that a depth stands for. */
    __device__ __forceinline__ int within_window(int depth) const
    {
        int channel = depth / taps(), tap = depth % taps();
        return channel * plane() + tap / side() * width + tap % side();
    }
    /* A pixel's element of y in map 0; the next map is out_plane() further. */
    __device__ __forceinline__ size_t output(int pixel) const
    {
        return (size_t)(pixel / out_plane()) * maps * out_plane() + pixel % out_plane();
    }
};

#endif
