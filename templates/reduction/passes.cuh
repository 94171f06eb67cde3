/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passes.cuh - the two kernels that every variant shares; the variant brings block_sum(), the tree of one block.
 *
 * `reduce` gives each block BLOCK * ITEMS vectors of the input: every thread adds its ITEMS vectors of VECTOR floats in
 * registers (algorithm cascading: with ITEMS * VECTOR = 1 there is nothing but the tree), then block_sum adds up the
 * block. What becomes of a block's sum is the choice of FINISH:
 *   two_pass  it is stored, one partial sum a block, and `reduce_partials`, a single block, adds them up;
 *   atomic    it is added to the total at once, which was set to 0 before; blocks wait for each other at that address.
 *
 *   BLOCK   threads of a block, a power of two.
 *   ITEMS   vectors a thread loads before the tree; they are independent, so all of them are in flight at once.
 *   VECTOR  floats of one load: 1, 2 or 4.
 */
#ifndef REDUCTION_PASSES_CUH
#define REDUCTION_PASSES_CUH

static __device__ float block_sum(float value); /* of the whole block, in thread 0 */

static __device__ float load_sum(const float *__restrict__ x, long long index, long long n)
{
#if VECTOR == 4
    if (4 * index + 3 < n) {
        float4 v = ((const float4 *)x)[index];
        return (v.x + v.y) + (v.z + v.w);
    }
#elif VECTOR == 2
    if (2 * index + 1 < n) {
        float2 v = ((const float2 *)x)[index];
        return v.x + v.y;
    }
#endif
    float sum = 0.0f;
    for (long long i = VECTOR * index; i < VECTOR * index + VECTOR && i < n; i++)
        sum += x[i];
    return sum;
}

__global__ void __launch_bounds__(BLOCK) reduce(const float *__restrict__ x, float *__restrict__ result, long long n)
{
    long long first = (long long)blockIdx.x * BLOCK * ITEMS + threadIdx.x;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        sum += load_sum(x, first + (long long)i * BLOCK, n);

    sum = block_sum(sum);
    if (threadIdx.x == 0) {
#if FINISH_atomic
        atomicAdd(result, sum);
#else
        result[blockIdx.x] = sum;
#endif
    }
}

#if !FINISH_atomic
__global__ void __launch_bounds__(BLOCK)
    reduce_partials(const float *__restrict__ partial, float *__restrict__ total, int count)
{
    float sum = 0.0f;
    for (int i = threadIdx.x; i < count; i += BLOCK)
        sum += partial[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        total[0] = sum;
}
#endif

#endif
