// SPDX-License-Identifier: Apache-2.0
#include "half.cuh"

__global__ void reference(const unsigned short *x, const unsigned short *y, double *z, double *size, double a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        z[i] = a * of_half(x[i]) + of_half(y[i]);
        size[i] = fabs(a * of_half(x[i])) + fabs((double)of_half(y[i]));
    }
}
