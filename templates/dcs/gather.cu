/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gather.cu - the electrostatic potential on a grid, one thread per grid point.
 *
 * The loops of scatter.cu interchanged: a thread owns a point, loops over the atoms and accumulates in a register. No
 * atomics, one store per point, and as many threads as points. All threads read the same atom at the same time, from
 * global memory through the caches.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along x and y; blocks along z are slices.
 *   UNROLL            unroll factor of the loop over atoms.
 *   PADDED            1: the grid is a whole number of blocks, so no thread lies outside and none tests for it.
 *
 * Limit: a 16-byte load, a square root and a division per pair.
 */
constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void gather(const float4 *__restrict__ atoms, float *__restrict__ energy, int count, float spacing, int nx,
                       int ny)
{
    int i = blockIdx.x * BLOCK_X + threadIdx.x;
    int j = blockIdx.y * BLOCK_Y + threadIdx.y;
    int k = blockIdx.z;
#if !PADDED
    if (i >= nx || j >= ny)
        return;
#endif
    float x = spacing * (float)i;
    float y = spacing * (float)j;
    float z = spacing * (float)k;
    float sum = 0.0f;
#pragma unroll unroll
    for (int n = 0; n < count; n++) {
        float4 atom = atoms[n];
        float dx = x - atom.x;
        float dy = y - atom.y;
        float dz = z - atom.z;
        sum += atom.w / sqrtf(dx * dx + dy * dy + dz * dz);
    }
    energy[((size_t)k * ny + j) * nx + i] = sum;
}
