/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halo_cached.cu - 1-D convolution, strategy 3: the tile without its halo in shared memory, the halo from the caches.
 *
 * The threads load exactly the inputs at their outputs, in whole steps. What an output needs beyond the tile is read
 * from global memory: it belongs to the neighbouring tiles, whose blocks run at the same time, so that it is likely to
 * be in the L2 cache. Only the first and the last warp of a block diverge.
 *
 *   BLOCK    threads of a block.
 *   OUTPUTS  outputs a thread computes, BLOCK apart.
 *   UNROLL   values of the mask written out.
 *
 * Limit: a test and a load from shared memory for each multiply-add.
 */
#include "mask.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

#define TILE (BLOCK * OUTPUTS)

__shared__ float tile[TILE];

__global__ void __launch_bounds__(BLOCK)
    convolve(const float *__restrict__ input, float *__restrict__ output, int n)
{
    int first = blockIdx.x * TILE;
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
        tile[threadIdx.x + o * BLOCK] = value_at(input, first + threadIdx.x + o * BLOCK, n);
    __syncthreads();
#pragma unroll
    for (int o = 0; o < OUTPUTS; o++) {
        int k = threadIdx.x + o * BLOCK;
        float sum = 0.0f;
#pragma unroll unroll
        for (int j = 0; j < MASK_WIDTH; j++) {
            int i = k + j - RADIUS;
            sum += mask[j] * (i >= 0 && i < TILE ? tile[i] : value_at(input, first + i, n));
        }
        if (first + k < n)
            output[first + k] = sum;
    }
}
