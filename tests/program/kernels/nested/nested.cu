/* SPDX-License-Identifier: Apache-2.0 */
#define STREAMS 1
#define TAIL 2
#define DEEP 3
#define MANY 4
#define LARGE 5
#define ENDLESS 6
#define RACE 7
#define OUTSIDE 8

#include "parts/section.cuh"

__global__ void increment(int *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i]++;
}

__global__ void single(const int *x, int *y)
{
    *y = 2 * *x + 1;
}

__global__ void halves(const int *x, int *y, int count)
{
    if (count > 64) {
        halves<<<1, 1>>>(x, y, count / 2);
        halves<<<1, 1, 0, cudaStreamFireAndForget>>>(x + count / 2, y + count / 2, count - count / 2);
    } else {
        section<2, 1><<<1, 64, 64 * sizeof(int)>>>(x, y, 0, count);
    }
}

__global__ void endless(int *y)
{
    endless<<<1, 1>>>(y);
}

__global__ void parent(const int *x, int *y, int n)
{
    int first = blockIdx.x * blockDim.x, count = min(n - first, (int)blockDim.x);
    bool leads = threadIdx.x == 0, alone = leads && blockIdx.x == 0;
#if WAY == STREAMS
    if (leads) {
        cudaStream_t own;
        cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
        section<2, 0><<<4, 32, 128, own>>>(x, y, first, count);
        increment<<<1, 7, 0, own>>>(y + first, count);
        cudaStreamDestroy(own);
    }
#elif WAY == TAIL
    if (alone)
        increment<<<dim3(2), dim3(64, 1), 0, cudaStreamTailLaunch>>>(y, n);
    if (leads)
        section<2, 0><<<4, 32, 128, cudaStreamFireAndForget>>>(x, y, first, count);
#elif WAY == DEEP
    if (alone)
        halves<<<1, 1>>>(x, y, n);
#elif WAY == MANY
    if (threadIdx.x < count)
        single<<<1, 1>>>(x + first + threadIdx.x, y + first + threadIdx.x);
#elif WAY == LARGE
    if (leads)
        section<2, 1><<<1, dim3(64, 32), 8192>>>(x, y, first, count);
#elif WAY == ENDLESS
    if (alone)
        endless<<<1, 1>>>(y);
#else
    if (leads)
        section<2, 1><<<4, 32, 128>>>(x, y, first, count);
#endif
}
