/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant_aos.cu - the sums F^H d: constant_soa.cu with the numbers of each sample side by side.
 *
 * A line of the constant cache now holds whole samples: an iteration touches one line instead of five, and a chunk is
 * one upload instead of five. The kernel that computes mu writes the samples in this layout.
 *
 *   BLOCK   threads per block.                      VOXELS  voxels per thread, BLOCK apart.
 *   CHUNK   samples in constant memory at a time.   UNROLL  unroll factor of the loop over samples.
 *   TRIG    precise or sfu.
 *
 * Limit: with TRIG = sfu the special function units, two operations per pair.
 */
#include "samples.cuh"
#include "voxels.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__constant__ sample chunk[CHUNK];

__global__ void gather_chunk(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                             float *__restrict__ rfhd, float *__restrict__ ifhd, int samples, int count)
{
    voxels own;
    load_voxels(own, x, y, z, count);
#pragma unroll unroll
    for (int m = 0; m < samples; m++)
        add_sample(own, chunk[m].kx, chunk[m].ky, chunk[m].kz, chunk[m].rmu, chunk[m].imu);
    add_voxels(own, rfhd, ifhd, count);
}
