/* SPDX-License-Identifier: Apache-2.0 */
/*
 * samples.cuh - the five numbers of a sample side by side, as constant_aos.cu and readonly.cu read them.
 */
#ifndef MRI_FHD_SAMPLES_CUH
#define MRI_FHD_SAMPLES_CUH

struct sample {
    float kx, ky, kz, rmu, imu;
};

__global__ void compute_samples(const float *__restrict__ rphi, const float *__restrict__ iphi,
                                const float *__restrict__ rd, const float *__restrict__ id,
                                const float *__restrict__ kx, const float *__restrict__ ky,
                                const float *__restrict__ kz, sample *__restrict__ all, int samples)
{
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= samples)
        return;
    sample one;
    one.kx = kx[m];
    one.ky = ky[m];
    one.kz = kz[m];
    one.rmu = rphi[m] * rd[m] + iphi[m] * id[m];
    one.imu = rphi[m] * id[m] - iphi[m] * rd[m];
    all[m] = one;
}

#endif
