/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mask.cuh - shared by the variants: the mask in constant memory, and the image with its zero boundary.
 *
 * MASK_WIDTH, an odd number, is known when the kernel is compiled: loops over the mask can be written out, and then
 * each of its values is an operand of its multiply-add, straight from the constant cache: no load, no register.
 */
#ifndef CONV2D_MASK_CUH
#define CONV2D_MASK_CUH

#define RADIUS (MASK_WIDTH / 2)

/* A row has one value more, which nobody uses, so that all rows begin at an even one: values are fetched in pairs. */
__constant__ __align__(8) float mask[MASK_WIDTH][MASK_WIDTH + 1];

__global__ void pack_mask(const float *__restrict__ weights, float *__restrict__ packed)
{
    int i = threadIdx.x / (MASK_WIDTH + 1);
    int j = threadIdx.x % (MASK_WIDTH + 1);
    packed[threadIdx.x] = j < MASK_WIDTH ? weights[i * MASK_WIDTH + j] : 0.0f;
}

/* The value at a row and a column that may lie outside. */
static __device__ __forceinline__ float value_at(const float *__restrict__ input, int row, int column, int height,
                                                 int width)
{
    bool inside = row >= 0 && row < height && column >= 0 && column < width;
    return inside ? input[(size_t)row * width + column] : 0.0f;
}

#endif
