/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passes.cuh - the two kernels common to all variants; the variant defines block_sum(), the tree of one block.
 *
 * `reduce` gives each block BLOCK * ITEMS vectors of the input: every thread accumulates its ITEMS vectors of VECTOR
 * floats in registers (algorithm cascading; with ITEMS * VECTOR = 1 there is only the tree), then block_sum adds up
 * the block. FINISH decides what happens to a block's sum:
 *   two_pass  it is stored as a partial sum, and `reduce_partials`, a single block, adds these up;
 *   atomic    it is added to the total, which was set to 0 before; blocks contend for that address.
 *
 *   BLOCK   threads per block, a power of two.
 *   ITEMS   vectors per thread, loaded before the tree; they are independent, so all are in flight at once.
 *   VECTOR  floats per load: 1, 2 or 4.
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
