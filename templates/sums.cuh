/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sums.cuh - prefix sums of a value of each thread of a warp or block, where they are a small part of what a kernel does;
 * templates/scan is about those that are all of it.
 */
#ifndef TEMPLATES_SUMS_CUH
#define TEMPLATES_SUMS_CUH

/* The sum of the values of all lanes of a warp up to and including its own. For all of them. */
template <class T> static __device__ __forceinline__ T warp_sum_up_to(T value, int lane)
{
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
        T before = __shfl_up_sync(0xffffffffu, value, step);
        value += lane >= step ? before : 0;
    }
    return value;
}

/* The sum of the values of all threads up to and including its own. For all THREADS of a block, whole warps. */
template <int THREADS> static __device__ __forceinline__ unsigned sum_up_to(unsigned value)
{
    __shared__ unsigned warps[THREADS / 32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    value = warp_sum_up_to(value, lane);
    __syncthreads(); /* of a call before */
    if (lane == 31)
        warps[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        value += warps[w];
    return value;
}

#endif
