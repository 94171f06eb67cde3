/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mu.cuh - the first half of the split loop: mu = conj(phi) d, one thread per sample.
 */
#ifndef MRI_FHD_MU_CUH
#define MRI_FHD_MU_CUH

__global__ void compute_mu(const float *__restrict__ rphi, const float *__restrict__ iphi, const float *__restrict__ rd,
                           const float *__restrict__ id, float *__restrict__ rmu, float *__restrict__ imu, int samples)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= samples)
        return;
    rmu[m] = rphi[m] * rd[m] + iphi[m] * id[m];
    imu[m] = rphi[m] * id[m] - iphi[m] * rd[m];
}

#endif
