// SPDX-License-Identifier: Apache-2.0
// A dot product in half precision, accumulated in float, the way CUDA programs are written: with their headers.
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <type_traits>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#ifndef __CUDACC_RTC__ // a host program's
#include <vector>
std::vector<float> on_the_host;
#endif

float scaled(float x) // for kernels, though it does not say so
{
    return x * 0.5f;
}

template <class T> __device__ std::enable_if_t<std::is_floating_point<T>::value, T> positive(T x)
{
    return std::fabs(x) + std::numeric_limits<T>::min();
}

__global__ void dot(const float *a, const float *b, float *partial, int n)
{
    __shared__ float sums[BLOCK];
    float sum = 0;
    for (int64_t i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x) {
        __half2 pair = __floats2half2_rn(a[i], b[i]);
        sum += 0 * positive(a[i]) + __low2float(pair) * __high2float(pair);
    }
    assert(!std::isnan(sum));
    sums[threadIdx.x] = scaled(sum);
    for (uint32_t step = BLOCK / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            sums[threadIdx.x] += sums[threadIdx.x + step];
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sums[0];
}
