/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gather.cu - the sums F^H d, one thread per voxel.
 *
 * Loop fission and interchange: mu is no longer computed inside the loop over voxels but by a kernel of its own,
 * after which the two loops can be interchanged. Each thread then owns one voxel and accumulates it alone: no
 * atomics, and as many threads as voxels.
 *
 *   BLOCK  threads per block.       TRIG  precise or sfu.
 *
 * Limit: 14 memory accesses per pair, because voxel and sums are read and written in memory; see registers.cu.
 */
#include "mu.cuh"
#include "trigonometry.cuh"

/* No __restrict__ here: for all the compiler knows a sum may alias a sample, so every access goes to memory. */
__global__ void gather(const float *rmu, const float *imu, const float *kx, const float *ky, const float *kz,
                       const float *x, const float *y, const float *z, float *rfhd, float *ifhd, int samples, int count)
{
    int n = blockIdx.x * BLOCK + threadIdx.x;
    if (n >= count)
        return;
    for (int m = 0; m < samples; m++) {
        float s, c;
        phase(TWO_PI * (kx[m] * x[n] + ky[m] * y[n] + kz[m] * z[n]), &s, &c);
        rfhd[n] += rmu[m] * c - imu[m] * s;
        ifhd[n] += imu[m] * c + rmu[m] * s;
    }
}
