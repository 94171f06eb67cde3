/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constant_soa.cu - the sums F^H d, registers.cu with the samples in constant memory, an array for each of their numbers.
 *
 * All threads read the same sample at the same time: the constant cache hands one word to all lanes at once, and the load
 * units are free. Constant memory holds 64 KB, so the samples come in chunks of CHUNK, a launch each, and the sums add up
 * in memory from launch to launch.
 *
 *   BLOCK   threads of a block.                     VOXELS  voxels a thread computes, BLOCK apart.
 *   CHUNK   samples in constant memory at a time.   UNROLL  samples written out.
 *   TRIG    precise or sfu.
 *
 * Limit: the five numbers of a sample lie in five lines of the small constant cache; constant_aos.cu puts them together.
 */
#include "mu.cuh"
#include "voxels.cuh"

constexpr int unroll = UNROLL; /* pragmas take constants, not macros */

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
