/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiled.cu - C = A Aᵀ, row-major: two tiles of A in shared memory, one thread per element of C.
 *
 * Both tiles are read along the rows of A, coalesced. The second is stored transposed, so that the lanes of a warp,
 * which have neighbouring columns of C, read neighbouring words of it. Its stores are the trouble: neighbouring lanes
 * write to neighbouring rows of the transposed tile, TILE words apart. With TILE = 32 these are 32 words of one bank,
 * written one after the other.
 *
 *   VARIANT transposed  just that: PAD = 0.
 *           padded      PAD words more per row: 33 words apart, each lane has a bank of its own.
 *           triangle    as padded, but only tiles on and below the diagonal are computed. Those below are stored twice:
 *                       the mirrored one goes through the tile as well, so that both stores are coalesced.
 *   TILE    side of the tiles, which are as deep as wide, and of the block.
 *   UNROLL  unroll factor of the loop over the tile's depth.
 *
 * Limit: two reads from shared memory per multiply-add, as in gemm's smem_tiling.cu. panels.cu has a rectangle of C
 * per thread.
 */
#include "triangle.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__shared__ float a_tile[TILE][TILE];
__shared__ float transposed_tile[TILE][TILE + PAD];

__global__ void __launch_bounds__(TILE *TILE)
    gemm_aat(const float *__restrict__ a, float *__restrict__ c, int n, int k)
{
#ifdef VARIANT_triangle
    tile_place place = place_in_triangle(blockIdx.x);
#else
    tile_place place;
    place.row = blockIdx.y;
    place.column = blockIdx.x;
#endif
    int x = threadIdx.x, y = threadIdx.y;
    int row0 = place.row * TILE, column0 = place.column * TILE;
    const float *left = a + (size_t)min(row0 + y, n - 1) * k;
    const float *right = a + (size_t)min(column0 + y, n - 1) * k;
    float sum = 0.0f;
    for (int k0 = 0; k0 < k; k0 += TILE) {
        bool inside = k0 + x < k;
        a_tile[y][x] = inside ? left[k0 + x] : 0.0f;
        transposed_tile[x][y] = inside ? right[k0 + x] : 0.0f;
        __syncthreads();
#pragma unroll unroll
        for (int p = 0; p < TILE; p++)
            sum += a_tile[y][p] * transposed_tile[p][x];
        __syncthreads();
    }
    if (row0 + y < n && column0 + x < n)
        c[(size_t)(row0 + y) * n + column0 + x] = sum;
#ifdef VARIANT_triangle
    if (place.row == place.column)
        return; /* the whole block */
    transposed_tile[x][y] = sum;
    __syncthreads();
    if (column0 + y < n && row0 + x < n)
        c[(size_t)(column0 + y) * n + row0 + x] = transposed_tile[y][x];
#endif
}
