/* SPDX-License-Identifier: Apache-2.0 */
/*
 * copy.cu - y = x.
 *
 * Neighbouring threads copy neighbouring vectors, so that a warp moves whole lines. A thread loads all of its vectors
 * before it stores the first: what counts is how many bytes are under way at a time.
 *
 *   BLOCK   threads per block.
 *   VECTOR  floats of an access.
 *   ITEMS   vectors per thread, BLOCK vectors apart.
 *   STREAM  1: what is stored is hinted not to be read again.
 *   FETCH   bytes that the L2 cache fetches for a load; 0: as it likes.
 *
 * x and y start at multiples of a vector.
 *
 * Limit: memory bandwidth.
 */
#include "../vectors.cuh"

typedef vector_of<VECTOR>::type vector;

__global__ void __launch_bounds__(BLOCK) copy(const float *__restrict__ x, float *__restrict__ y, long long n)
{
    long long first = ((long long)blockIdx.x * (BLOCK * ITEMS) + threadIdx.x) * VECTOR;
    vector value[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        long long at = first + i * (BLOCK * VECTOR);
        int left = (int)min(n - at, (long long)VECTOR);
        value[i] = load_part<VECTOR>(x + at, left, left == VECTOR, FETCH);
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        long long at = first + i * (BLOCK * VECTOR);
        int left = (int)min(n - at, (long long)VECTOR);
        store_part<VECTOR>(y + at, value[i], left, left == VECTOR, STREAM > 0);
    }
}
