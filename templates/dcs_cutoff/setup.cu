/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.cu - place the atoms: anywhere in the grid's box, or around several CLUSTERS, with charges in [-1, 1).
 *
 * What templates/dcs/setup.cu says of atoms on grid points holds here as well: the potential is infinite there, so
 * each atom is kept at least a quarter of the spacing away from every slice. Every eighth atom is right above a grid
 * point, by exactly that much: then there are points for which an atom is exactly at the cutoff, if that is an odd
 * number of quarters (27 quarters are 12 along one axis, 24 along another and 3 up). Some atoms have no charge: bins
 * must not end at one of them.
 *
 * A cluster is a quarter of the box wide. Of the part of it that reaches out of the box the atoms lie on the box's
 * faces.
 */
static __device__ float coordinate(const float *random, int n, int axis, int extent, int clusters)
{
    float where = random[4 * n + axis];
    if (clusters > 1)
        where = fminf(fmaxf(random[4 * (n % clusters) + axis] + (where - 0.5f) * 0.25f, 0.0f), 1.0f - 0x1p-20f);
    return where * (float)extent;
}

__global__ void place_atoms(const float *random, float4 *atoms, int count, float spacing, int nx, int ny, int nz,
                            int clusters)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    bool above_point = n % 8 == 0;
    float i = coordinate(random, n, 0, nx, clusters);
    float j = coordinate(random, n, 1, ny, clusters);
    float height = coordinate(random, n, 2, nz, clusters);
    float layer = fminf(floorf(height), (float)(nz - 1));
    float4 atom;
    atom.x = (above_point ? floorf(i) : i) * spacing;
    atom.y = (above_point ? floorf(j) : j) * spacing;
    atom.z = (layer + 0.25f + (above_point ? 0.0f : 0.5f * (height - layer))) * spacing;
    atom.w = n % 32 == 7 ? 0.0f : 2.0f * random[4 * n + 3] - 1.0f;
    atoms[n] = atom;
}
