/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scatter.cu - the sums F^H d of MRI reconstruction, one thread per k-space sample.
 *
 * For every voxel n: F^H d (n) = sum over samples m of mu(m) exp(i 2 pi k(m) . x(n)), mu = conj(phi) d. The outer
 * loop of the sequential code, over the samples, is distributed over the threads: thread m computes mu(m) and adds
 * its contribution to every voxel. All threads write to all voxels, so both additions per pair must be atomic.
 *
 *   BLOCK    threads per block.
 *   STAGGER  0: all threads start at voxel 0, and the lanes of a warp queue for one address after another.
 *            1: thread m starts at voxel m, and the lanes of a warp add to neighbouring addresses.
 *   TRIG     precise or sfu; see trigonometry.cuh.
 *
 * Limit: two atomic additions per pair, and no more threads than samples.
 */
#include "trigonometry.cuh"

__global__ void scatter(const float *__restrict__ rphi, const float *__restrict__ iphi, const float *__restrict__ rd,
                        const float *__restrict__ id, const float *__restrict__ kx, const float *__restrict__ ky,
                        const float *__restrict__ kz, const float *__restrict__ x, const float *__restrict__ y,
                        const float *__restrict__ z, float *__restrict__ rfhd, float *__restrict__ ifhd, int samples,
                        int count)
{
    int m = blockIdx.x * BLOCK + threadIdx.x;
    if (m >= samples)
        return;
    float rmu = rphi[m] * rd[m] + iphi[m] * id[m];
    float imu = rphi[m] * id[m] - iphi[m] * rd[m];
    int n = STAGGER ? m % count : 0;
    for (int visited = 0; visited < count; visited++) {
        float s, c;
        phase(TWO_PI * (kx[m] * x[n] + ky[m] * y[n] + kz[m] * z[n]), &s, &c);
        atomicAdd(&rfhd[n], rmu * c - imu * s);
        atomicAdd(&ifhd[n], imu * c + rmu * s);
        n = n + 1 < count ? n + 1 : 0;
    }
}
