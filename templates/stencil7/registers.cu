/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registers.cu - a sweep of the 7-point stencil: pencil.cu with the pencil's own points in registers.
 *
 * A point is needed three times by its pencil: as the one above, in the middle and below. It is loaded once, as the one
 * above, and moves on from register to register: five loads per point instead of seven.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along x and y.
 *   CHUNK             points of a pencil; each pencil loads two more than it has.
 *   UNROLL            points written out in the loop; with a multiple of three no value is moved between registers.
 *
 * Limit: the four neighbours in the plane are loaded by every thread, though others of the block have them.
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
    float below = first > 0 ? *(at - plane) : 0.0f;
    float center = *at;
#pragma unroll unroll
    for (int z = first; z < end; z++) {
        float above = z + 1 < nz ? *(at + plane) : 0.0f;
        float west = x > 0 ? at[-1] : 0.0f;
        float east = x + 1 < nx ? at[1] : 0.0f;
        float south = y > 0 ? at[-nx] : 0.0f;
        float north = y + 1 < ny ? at[nx] : 0.0f;
        *to = weighted(center, west, east, south, north, below, above);
        below = center;
        center = above;
        at += plane;
        to += plane;
    }
}
