/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scatter.cu - the electrostatic potential on a grid, one thread per atom.
 *
 * Thread n visits all grid points and adds its atom's contribution. Many threads add to the same point, so every
 * addition is atomic. Threads start at different points, so that the lanes of a warp add to neighbouring addresses at
 * any time instead of queueing for one.
 *
 *   BLOCK_X  threads per block; BLOCK_Y is 1.
 *   PADDED   1: the grid is a whole number of blocks; see the template.
 *
 * Limit: an atomic addition per pair of atom and point, and no more threads than atoms.
 */
__global__ void scatter(const float4 *__restrict__ atoms, float *__restrict__ energy, int count, float spacing, int nx,
                        int ny, int nz)
{
    int n = blockIdx.x * BLOCK_X + threadIdx.x;
    if (n >= count)
        return;
    float4 atom = atoms[n];
    int points = nx * ny * nz;
    int point = n % points;
    for (int visited = 0; visited < points; visited++) {
        float dx = spacing * (float)(point % nx) - atom.x;
        float dy = spacing * (float)(point / nx % ny) - atom.y;
        float dz = spacing * (float)(point / nx / ny) - atom.z;
        atomicAdd(&energy[point], atom.w / sqrtf(dx * dx + dy * dy + dz * dz));
        point = point + 1 < points ? point + 1 : 0;
    }
}
