/* SPDX-License-Identifier: Apache-2.0 */
/*
 * naive.cu - a sweep of the 7-point stencil, one thread per point.
 *
 * Seven loads for one result. Those of a warp are coalesced, and all but one of the seven have been asked for by a
 * neighbour or will be: they hit the L1 cache if the neighbour is in the same block, the L2 cache if its block runs at
 * the same time.
 *
 *   BLOCK_X, BLOCK_Y, BLOCK_Z  threads per block. A flat block has more neighbours outside.
 *
 * Limit: the caches and the load units, seven loads per point; and the index arithmetic, as long as the stencil's.
 */
#include "stencil.cuh"

__global__ void __launch_bounds__(BLOCK_X * BLOCK_Y * BLOCK_Z)
    sweep(const float *__restrict__ before, float *__restrict__ after, int nx, int ny, int nz)
{
    int x = blockIdx.x * BLOCK_X + threadIdx.x;
    int y = blockIdx.y * BLOCK_Y + threadIdx.y;
    int z = blockIdx.z * BLOCK_Z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;
    size_t plane = (size_t)nx * ny;
    size_t point = (size_t)z * plane + (size_t)y * nx + x;
    const float *at = before + point;
    float west = x > 0 ? at[-1] : 0.0f;
    float east = x + 1 < nx ? at[1] : 0.0f;
    float south = y > 0 ? at[-nx] : 0.0f;
    float north = y + 1 < ny ? at[nx] : 0.0f;
    float below = z > 0 ? *(at - plane) : 0.0f;
    float above = z + 1 < nz ? *(at + plane) : 0.0f;
    after[point] = weighted(*at, west, east, south, north, below, above);
}
