// SPDX-License-Identifier: Apache-2.0
// The operands, rounded to 11 digits, are exact in double precision.
#include <math.h>

__device__ double rounded(float x)
{
    int exponent;
    double fraction = frexp((double)x, &exponent);
    return ldexp(rint(ldexp(fraction, 11)), exponent - 11);
}

__global__ void reference(const float *a, const float *b, double *partial, double *mag, int n, int blocks, int block)
{
    int which = blockIdx.x * blockDim.x + threadIdx.x;
    if (which >= blocks)
        return;
    double sum = 0, size = 0;
    for (int first = which * block; first < n; first += blocks * block) {
        for (int i = first; i < first + block && i < n; i++) {
            double term = 0.5 * rounded(a[i]) * rounded(b[i]);
            sum += term;
            size += fabs(term);
        }
    }
    partial[which] = sum;
    mag[which] = size;
}
