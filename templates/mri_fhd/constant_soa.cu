/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant_soa.cu - the sums F^H d: registers.cu with the samples in constant memory, one array for each component.
 *
 * All threads read the same sample at the same time: the constant cache broadcasts a word to all lanes and leaves the
 * load units free. Constant memory holds 64 KB, so the samples come in chunks of CHUNK, one launch each, and the sums
 * accumulate in memory from launch to launch.
 *
 *   BLOCK   threads per block.                      VOXELS  voxels per thread, BLOCK apart.
 *   CHUNK   samples in constant memory at a time.   UNROLL  unroll factor of the loop over samples.
 *   TRIG    precise or sfu.
 *
 * Limit: the five numbers of a sample are in five lines of the small constant cache; constant_aos.cu puts them
 * together.
 */
#include "mu.cuh"
#include "voxels.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__constant__ float kx_chunk[CHUNK];
__constant__ float ky_chunk[CHUNK];
__constant__ float kz_chunk[CHUNK];
__constant__ float rmu_chunk[CHUNK];
__constant__ float imu_chunk[CHUNK];

__global__ void gather_chunk(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                             float *__restrict__ rfhd, float *__restrict__ ifhd, int samples, int count)
{
    voxels own;
    load_voxels(own, x, y, z, count);
#pragma unroll unroll
    for (int m = 0; m < samples; m++)
        add_sample(own, kx_chunk[m], ky_chunk[m], kz_chunk[m], rmu_chunk[m], imu_chunk[m]);
    add_voxels(own, rfhd, ifhd, count);
}
