/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slice.cuh - shared by the variants that work slice by slice: the atoms prepared for one slice.
 *
 * In a slice all points have the same z, so the squared distance along z is one number per atom: slice_atoms computes
 * it once and stores it in place of the atom's z.
 */
#ifndef DCS_SLICE_CUH
#define DCS_SLICE_CUH

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__constant__ float4 chunk[CHUNK]; /* x, y, squared distance along z, charge */

__global__ void slice_atoms(const float4 *__restrict__ atoms, float4 *__restrict__ sliced, int count, float z)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    float4 atom = atoms[n];
    float dz = z - atom.z;
    atom.z = dz * dz;
    sliced[n] = atom;
}

#endif
