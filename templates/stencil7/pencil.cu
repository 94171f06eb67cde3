/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pencil.cu - a sweep of the 7-point stencil, one thread per pencil: CHUNK points along z.
 *
 * Where the thread is, and which of its neighbours exist, is found out once per pencil instead of once per point; from
 * point to point an address grows by a plane. There are fewer blocks to schedule, and a block's planes follow each
 * other, so that the points above are already in a cache when they become the points below.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along x and y.
 *   CHUNK             points of a pencil: more are less overhead, fewer are more threads.
 *   UNROLL            points written out in the loop.
 *
 * Limit: still seven loads per point.
 */
#include "stencil.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void __launch_bounds__(BLOCK_X * BLOCK_Y)
    sweep(const float *__restrict__ before, float *__restrict__ after, int nx, int ny, int nz)
{
    int x = blockIdx.x * BLOCK_X + threadIdx.x;
    int y = blockIdx.y * BLOCK_Y + threadIdx.y;
    int first = blockIdx.z * CHUNK;
    int end = min(first + CHUNK, nz);
    if (x >= nx || y >= ny)
        return;
    size_t plane = (size_t)nx * ny;
    size_t point = (size_t)first * plane + (size_t)y * nx + x;
    const float *at = before + point;
    float *to = after + point;
#pragma unroll unroll
    for (int z = first; z < end; z++) {
        float west = x > 0 ? at[-1] : 0.0f;
        float east = x + 1 < nx ? at[1] : 0.0f;
        float south = y > 0 ? at[-nx] : 0.0f;
        float north = y + 1 < ny ? at[nx] : 0.0f;
        float below = z > 0 ? *(at - plane) : 0.0f;
        float above = z + 1 < nz ? *(at + plane) : 0.0f;
        *to = weighted(*at, west, east, south, north, below, above);
        at += plane;
        to += plane;
    }
}
