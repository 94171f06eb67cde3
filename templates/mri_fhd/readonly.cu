/* SPDX-License-Identifier: Apache-2.0 */
/*
 * readonly.cu - the sums F^H d: constant_aos.cu with the samples in global memory, read through the read-only path.
 *
 * `const __restrict__` promises that nobody writes the samples while the kernel runs, so their loads may go through
 * the read-only cache (`__ldg` says the same of a single load). That cache holds a hundred times as much as the
 * constant cache in front of a multiprocessor, and nothing limits the array: no chunks, no uploads, one launch. But
 * each load now takes a slot of the load unit and a register of every lane.
 *
 *   BLOCK   threads per block.                        VOXELS  voxels per thread, BLOCK apart.
 *   UNROLL  unroll factor of the loop over samples.   TRIG    precise or sfu.
 *
 * Limit: as of constant_aos.cu.
 */
#include "samples.cuh"
#include "voxels.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void gather_all(const sample *__restrict__ all, const float *__restrict__ x, const float *__restrict__ y,
                           const float *__restrict__ z, float *__restrict__ rfhd, float *__restrict__ ifhd, int samples,
                           int count)
{
    voxels own;
    load_voxels(own, x, y, z, count);
#pragma unroll unroll
    for (int m = 0; m < samples; m++)
        add_sample(own, all[m].kx, all[m].ky, all[m].kz, all[m].rmu, all[m].imu);
    add_voxels(own, rfhd, ifhd, count);
}
