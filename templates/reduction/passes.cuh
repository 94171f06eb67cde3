/* SPDX-License-Identifier: Apache-2.0 */
/*
 * passes.cuh - the kernels common to all variants; the variant defines block_reduce(), the tree of one block.
 *
 * `reduce` gives each block BLOCK * ITEMS vectors of the input: every thread combines its ITEMS vectors of VECTOR
 * floats in registers (algorithm cascading; with ITEMS * VECTOR = 1 there is only the tree), then block_reduce combines
 * those of the block. FINISH decides what happens to a block's result:
 *   two_pass  it is stored, and `reduce_partials`, a single block, combines them all;
 *   atomic    it joins the total by an atomic operation (atomics.cuh), after that was set to that of nothing; blocks
 *             contend for that address;
 *   last      it is stored, and the block that is the last to do so combines them all: one launch. The count of blocks
 *             that are done is 0 before, and again after.
 *
 *   BLOCK   threads per block, a power of two.
 *   ITEMS   vectors per thread, loaded before the tree; they are independent.
 *   UNROLL  of which so many are written out, all of them in flight at once.
 *   VECTOR  floats per load: 1, 2 or 4.
 */
#ifndef REDUCTION_PASSES_CUH
#define REDUCTION_PASSES_CUH

#include "items.cuh"

static __device__ partial block_reduce(partial value); /* of the whole block, in thread 0 */

/* What a block has found, in thread 0. */
static __device__ partial reduce_block(const float *__restrict__ x, long long n)
{
    return block_reduce(reduce_items(x, (long long)blockIdx.x * BLOCK * ITEMS + threadIdx.x, n));
}

/* By all threads of a block: combine the results of all. */
static __device__ partial reduce_results(const partial *results, int count)
{
    partial all = nothing();
    for (int i = threadIdx.x; i < count; i += BLOCK)
        all = combine(all, results[i]);
    return block_reduce(all);
}

#if INDEXED
static __device__ void store_total(partial all, float *total, long long *index)
{
    total[0] = all.value;
    index[0] = all.index;
}
#define TOTAL float *total, long long *index
#define STORE_TOTAL(all) store_total(all, total, index)
#else
#define TOTAL float *__restrict__ total
#define STORE_TOTAL(all) total[0] = all
#endif

#if FINISH_atomic
#include "atomics.cuh"

__global__ void __launch_bounds__(BLOCK) reduce(const float *__restrict__ x, meeting *__restrict__ result, long long n)
{
    partial all = reduce_block(x, n);
    if (threadIdx.x == 0)
        meet(result, all);
}
#elif FINISH_last
__global__ void __launch_bounds__(BLOCK)
    reduce(const float *__restrict__ x, partial *results, unsigned *done, TOTAL, long long n)
{
    __shared__ bool is_last;
    partial all = reduce_block(x, n);
    if (threadIdx.x == 0) {
        results[blockIdx.x] = all;
        __threadfence(); /* the result is there before it counts */
        is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence(); /* and the others' are read after they counted */
    }
    __syncthreads();
    if (!is_last)
        return;
    all = reduce_results(results, gridDim.x);
    if (threadIdx.x == 0)
        STORE_TOTAL(all);
}
#else
__global__ void __launch_bounds__(BLOCK) reduce(const float *__restrict__ x, partial *__restrict__ results, long long n)
{
    partial all = reduce_block(x, n);
    if (threadIdx.x == 0)
        results[blockIdx.x] = all;
}

__global__ void __launch_bounds__(BLOCK) reduce_partials(const partial *__restrict__ results, TOTAL, int count)
{
    partial all = reduce_results(results, count);
    if (threadIdx.x == 0)
        STORE_TOTAL(all);
}
#endif

#endif
