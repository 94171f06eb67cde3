/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - place the atoms: random positions inside the grid's box, random charges in [-1, 1).
 *
 * An atom on a grid point would make the potential infinite. The slices lie at integer multiples of the spacing along
 * z, so each atom is kept at least a quarter of the spacing away from every slice; along x and y it may be anywhere.
 */
__global__ void place_atoms(const float *random, float4 *atoms, int count, float spacing, int nx, int ny, int nz)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    float height = random[4 * n + 2] * nz;
    float layer = floorf(height);
    float4 atom;
    atom.x = random[4 * n] * nx * spacing;
    atom.y = random[4 * n + 1] * ny * spacing;
    atom.z = (layer + 0.25f + 0.5f * (height - layer)) * spacing;
    atom.w = 2.0f * random[4 * n + 3] - 1.0f;
    atoms[n] = atom;
}
