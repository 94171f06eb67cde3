/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gather.cu - the sums F^H d, a thread for each voxel.
 *
 * Loop fission and interchange: mu no longer stands inside the loop over the voxels but has a kernel of its own, after
 * which the two loops can change places. Each thread then owns one voxel and adds to it alone: no atomics, and as many
 * threads as voxels.
 *
 *   BLOCK  threads of a block.      TRIG  precise or sfu.
 *
 * Limit: 14 accesses to memory for each pair, since voxel and sums are read and written where they lie; registers.cu.
 */
#include "mu.cuh"
#include "trigonometry.cuh"

/* No __restrict__ here: the compiler must take it that a sum may be a sample, and so each goes through memory. */
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
