// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void ramp(double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = i;
}
