/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices.cu - the electrostatic potential on a grid: constant.cu slice by slice.
 *
 * The squared distance along z is computed once per atom and slice instead of once per pair, and 1/sqrt is rsqrtf,
 * one instruction of the special function unit, instead of a square root and a division: five operations fewer per
 * pair. The price is more and smaller launches, and uploading the chunks again for each slice.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along x and y.
 *   CHUNK             atoms in constant memory at a time.
 *   UNROLL            unroll factor of the loop over atoms.
 *   PREFETCH          1: the old energy is fetched before the loop; see constant.cu.
 *   PADDED            1: the grid is a whole number of blocks.
 *
 * Limit: four words of constant memory are read per pair; see coarsened_adjacent.cu.
 */
#include "slice.cuh"

__global__ void add_chunk(float *__restrict__ energy, int count, float spacing, int nx, int ny, int k)
{
    int i = blockIdx.x * BLOCK_X + threadIdx.x;
    int j = blockIdx.y * BLOCK_Y + threadIdx.y;
#if !PADDED
    if (i >= nx || j >= ny)
        return;
#endif
    size_t point = ((size_t)k * ny + j) * nx + i;
#if PREFETCH
    float before = energy[point];
#endif
    float x = spacing * (float)i;
    float y = spacing * (float)j;
    float sum = 0.0f;
#pragma unroll unroll
    for (int n = 0; n < count; n++) {
        float dx = x - chunk[n].x;
        float dy = y - chunk[n].y;
        sum += chunk[n].w * rsqrtf(dx * dx + dy * dy + chunk[n].z);
    }
#if !PREFETCH
    float before = energy[point];
#endif
    energy[point] = before + sum;
}
