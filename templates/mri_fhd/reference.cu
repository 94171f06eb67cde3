/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - F^H d by definition in double precision, one thread per voxel. The magnitude is the sum of the
 * absolute products in the real and imaginary part of mu: sine and cosine only make a term smaller.
 */
__global__ void fhd_reference(const float *rphi, const float *iphi, const float *rd, const float *id, const float *kx,
                              const float *ky, const float *kz, const float *x, const float *y, const float *z,
                              double *real, double *imaginary, double *real_magnitude, double *imaginary_magnitude,
                              int samples, int count)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    double re = 0.0;
    double im = 0.0;
    double absolute = 0.0;
    for (int m = 0; m < samples; m++) {
        double rr = (double)rphi[m] * (double)rd[m], ii = (double)iphi[m] * (double)id[m];
        double ri = (double)rphi[m] * (double)id[m], ir = (double)iphi[m] * (double)rd[m];
        double rmu = rr + ii;
        double imu = ri - ir;
        double turns = (double)kx[m] * (double)x[n] + (double)ky[m] * (double)y[n] + (double)kz[m] * (double)z[n];
        double angle = 6.283185307179586477 * turns;
        double c = cos(angle);
        double s = sin(angle);
        re += rmu * c - imu * s;
        im += imu * c + rmu * s;
        absolute += fabs(rr) + fabs(ii) + fabs(ri) + fabs(ir);
    }
    real[n] = re;
    imaginary[n] = im;
    real_magnitude[n] = absolute;
    imaginary_magnitude[n] = absolute;
}
