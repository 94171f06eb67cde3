/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jds_csr.cu - sorted rows one behind the other, a thread a row: the rows of a warp are about as long, but its loads
 * are as far apart as theirs.
 *
 *   BLOCK           threads of a block.
 *   UNROLL, STREAM  as rows.cuh has them.
 *
 * Limit: sectors, as for csr_thread, but no longer the longest row of each warp.
 */
#include "sorted.cuh"

/* starts: of the rows. */
static __device__ __forceinline__ int place_of(const int *starts, int i, int k)
{
    return starts[i] + k;
}

static __device__ __forceinline__ int padded_length(const int *, int, int length)
{
    return length;
}

__global__ void __launch_bounds__(BLOCK)
    multiply(const int *__restrict__ columns, const float *__restrict__ values, const int *__restrict__ starts,
             const int *__restrict__, const int *__restrict__ order, const float *__restrict__ x,
             float *__restrict__ y, int rows)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < rows)
        y[order[i]] = add_products<unsigned>(columns, values, x, starts[i], starts[i + 1], 1);
}
