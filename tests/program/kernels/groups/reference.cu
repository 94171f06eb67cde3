// SPDX-License-Identifier: Apache-2.0
__global__ void widen(const float *x, double *value, double *size, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        value[i] = x[i];
        size[i] = fabs(value[i]);
    }
}

__global__ void smooth(const double *from, double *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = 0.25 * (i > 0 ? from[i - 1] : 0) + 0.5 * from[i] + 0.25 * (i + 1 < n ? from[i + 1] : 0);
}

__global__ void copy(const double *from, double *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

// The sum of powers of x, in the first element.
__global__ void sum(const float *x, double *y, double *magnitude, int n, int power)
{
    for (int i = 0; i < n; i++) {
        double value = power == 1 ? x[i] : (double)x[i] * x[i];
        y[i] = magnitude[i] = 0;
        y[0] += value;
        magnitude[0] += fabs(value);
    }
}
