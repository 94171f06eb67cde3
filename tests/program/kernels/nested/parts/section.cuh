/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "turn.cuh"

/* y = FACTOR x + TERM of a section, which is turned round in shared memory, and back. */
template <int FACTOR, int TERM>
__global__ void section(const int *x, int *y, long long first, int count)
{
    extern __shared__ int turned[];
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = turn(threadIdx.x);
    turned[at] = i < count ? x[first + i] : 0;
#if WAY != RACE
    __syncthreads();
#endif
    int value = turned[threadIdx.x];
#if WAY == OUTSIDE
    value = turned[threadIdx.x + 1];
#endif
    __syncthreads();
    turned[at] = value;
    __syncthreads();
    if (i < count)
        y[first + i] = FACTOR * turned[threadIdx.x] + TERM;
}
