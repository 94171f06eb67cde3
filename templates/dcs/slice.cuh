/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slice.cuh - what the variants that work slice by slice share: the chunk of atoms made ready for one slice.
 *
 * In a slice all points have the same z, so the squared distance along z is one number an atom: slice_atoms computes it
 * once and puts it in the place of the atom's z.
 */
#ifndef DCS_SLICE_CUH
#define DCS_SLICE_CUH

constexpr int unroll = UNROLL; /* pragmas take constants, not macros */

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
