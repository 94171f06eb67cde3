// SPDX-License-Identifier: Apache-2.0
#include "half.cuh"

extern "C" __global__ void axpy(const unsigned short *x, const unsigned short *y, unsigned short *z, unsigned short a,
                                int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        z[i] = to_half(of_half(a) * of_half(x[i]) + of_half(y[i]));
}
