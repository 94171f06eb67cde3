/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registers.cu - the sums F^H d: gather.cu with everything that belongs to a voxel in registers.
 *
 * Position and both sums of a voxel stay in registers for the whole loop. Only the five numbers of a sample are read
 * for each pair, by all threads at the same address; with several voxels per thread even those serve VOXELS pairs.
 *
 *   BLOCK   threads per block.                        VOXELS  voxels per thread, BLOCK apart.
 *   UNROLL  unroll factor of the loop over samples.   TRIG    precise or sfu.
 *
 * Limit: five loads per pair with one voxel per thread; then sine and cosine.
 */
#include "mu.cuh"
#include "voxels.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void gather(const float *__restrict__ rmu, const float *__restrict__ imu, const float *__restrict__ kx,
                       const float *__restrict__ ky, const float *__restrict__ kz, const float *__restrict__ x,
                       const float *__restrict__ y, const float *__restrict__ z, float *__restrict__ rfhd,
                       float *__restrict__ ifhd, int samples, int count)
{
    voxels own;
    load_voxels(own, x, y, z, count);
#pragma unroll unroll
    for (int m = 0; m < samples; m++)
        add_sample(own, kx[m], ky[m], kz[m], rmu[m], imu[m]);
    add_voxels(own, rfhd, ifhd, count);
}
