/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - place the atoms: random positions inside the grid's box, random charges in [-1, 1).
 *
 * At an atom the potential is infinite, so no atom may lie on a grid point: what a kernel makes of one is not defined
 * (a division or rsqrtf gives infinity, Newton's method some large number). The slices lie at integer multiples of the
 * spacing along z, so each atom is kept at least a quarter of the spacing away from every slice. Along x and y it may
 * be anywhere, and every eighth atom is right above a grid point, where these distances are exactly 0.
 */
__global__ void place_atoms(const float *random, float4 *atoms, int count, float spacing, int nx, int ny, int nz)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    float height = random[4 * n + 2] * nz;
    float layer = floorf(height);
    float4 atom;
    float i = random[4 * n] * nx;
    float j = random[4 * n + 1] * ny;
    atom.x = (n % 8 == 0 ? floorf(i) : i) * spacing;
    atom.y = (n % 8 == 0 ? floorf(j) : j) * spacing;
    atom.z = (layer + 0.25f + 0.5f * (height - layer)) * spacing;
    atom.w = 2.0f * random[4 * n + 3] - 1.0f;
    atoms[n] = atom;
}
