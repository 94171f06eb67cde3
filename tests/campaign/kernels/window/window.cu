/* SPDX-License-Identifier: Apache-2.0 */
/* window.cu - adds up to two taps of a sliding window; neighbouring threads share what they load. */
extern __shared__ float tile[];

#include "sub/shared.cuh"

__constant__ double table[2];

__global__ void scale(const float *x, float *scaled, double factor, long long n)
{
    long long i = (long long)blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        scaled[i] = (float)(factor * x[i]);
}

__global__ void window(const float *scaled, float *y, int *counts, float gain, int count, int n)
{
    load(scaled, count, n);
    __syncthreads();
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n)
        return;
    float sum = y[i];
#pragma unroll UNROLL
    for (int tap = 0; tap < count; tap++)
        sum += gain * (float)table[tap] * tile[threadIdx.x + tap];
    y[i] = sum;
    counts[i] += count;
}
