/* SPDX-License-Identifier: Apache-2.0 */
/*
 * partial.cuh - the second launch where SPLIT > 1 blocks have shared the sums of an output: always in the same order,
 * so that the result is the same each time.
 */
#ifndef CONVNET_PARTIAL_CUH
#define CONVNET_PARTIAL_CUH

/* Add the SPLIT partial sums of `count` elements. */
__global__ void __launch_bounds__(256) add_partial(const float *__restrict__ partial, float *__restrict__ y, int count)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= count)
        return;
    float sum = partial[i];
#pragma unroll
    for (int s = 1; s < SPLIT; s++)
        sum += partial[(size_t)s * count + i];
    y[i] = sum;
}

#endif
