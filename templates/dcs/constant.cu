/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant.cu - the electrostatic potential on a grid: gather.cu with the atoms in constant memory.
 *
 * All threads of a warp read the same atom, which is what the constant cache is made for: it delivers the atom to all
 * lanes at once and leaves the load units free. Constant memory holds 64 KB, so the atoms come in chunks of CHUNK,
 * one launch each, and the energies accumulate in memory from launch to launch.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along x and y; blocks along z are slices.
 *   CHUNK             atoms in constant memory at a time, 16 bytes each: larger chunks mean fewer launches and fewer
 *                     passes over the energies.
 *   UNROLL            unroll factor of the loop over atoms.
 *   PREFETCH          1: the old energy is fetched before the loop, though not needed until after it, so that nobody
 *                     waits for memory at the end of a block.
 *   PADDED            1: the grid is a whole number of blocks.
 *
 * Limit: the arithmetic, part of which all threads of a slice repeat for the same atom.
 */
constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__constant__ float4 chunk[CHUNK];

__global__ void add_chunk(float *__restrict__ energy, int count, float spacing, int nx, int ny)
{
    int i = blockIdx.x * BLOCK_X + threadIdx.x;
    int j = blockIdx.y * BLOCK_Y + threadIdx.y;
    int k = blockIdx.z;
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
    float z = spacing * (float)k;
    float sum = 0.0f;
#pragma unroll unroll
    for (int n = 0; n < count; n++) {
        float dx = x - chunk[n].x;
        float dy = y - chunk[n].y;
        float dz = z - chunk[n].z;
        sum += chunk[n].w / sqrtf(dx * dx + dy * dy + dz * dz);
    }
#if !PREFETCH
    float before = energy[point];
#endif
    energy[point] = before + sum;
}
