/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csr_split.cu - as csr_warp, but of each row the first LIMIT nonzeros only. What is left of longer ones is listed, in
 * parts of LIMIT nonzeros each, and a second kernel adds it, a warp a part.
 *
 *   BLOCK           threads of a block.
 *   THREADS         of a row, as in csr.cu; of a part there are 32.
 *   LIMIT           nonzeros of a row that do not make others wait. Few are shorter waits, and more parts.
 *   UNROLL, STREAM  as rows.cuh has them.
 *
 * Limit: memory bandwidth, or the L2 cache, with fewer instructions a nonzero than merge.cu and no barriers; but rows of
 * a warp that are unequally long still wait for each other.
 */
#include "group.cuh"
#include "running.cuh"

/* prepare: how many parts are left of each row. */
__global__ void measure_parts(const int *offsets, int *counts, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows)
        counts[row] = max(offsets[row + 1] - offsets[row] - 1, 0) / LIMIT;
}

/* prepare: the row of each part, and its first nonzero. */
__global__ void list_parts(const int *offsets, const int *starts, int *part_rows, int *part_firsts, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    for (int part = starts[row]; part < starts[row + 1]; part++) {
        part_rows[part] = row;
        part_firsts[part] = offsets[row] + (part - starts[row] + 1) * LIMIT;
    }
}

__global__ void __launch_bounds__(BLOCK)
    multiply(const int *__restrict__ offsets, const int *__restrict__ columns, const float *__restrict__ values,
             const float *__restrict__ x, float *__restrict__ y, int rows)
{
    unsigned row = blockIdx.x * (BLOCK / THREADS) + threadIdx.x / THREADS;
    bool some = row < (unsigned)rows;
    int first = some ? offsets[row] : 0, last = some ? min(offsets[row + 1], first + LIMIT) : 0;
    float sum = add_by_group<THREADS>(columns, values, x, first, last);
    if (some && threadIdx.x % THREADS == 0)
        y[row] = sum;
}

__global__ void __launch_bounds__(BLOCK)
    add_parts(const int *__restrict__ offsets, const int *__restrict__ columns, const float *__restrict__ values,
              const int *__restrict__ part_rows, const int *__restrict__ part_firsts, const float *__restrict__ x,
              float *__restrict__ y, int parts)
{
    int part = blockIdx.x * (BLOCK / 32) + threadIdx.x / 32;
    bool some = part < parts;
    int row = some ? part_rows[part] : 0, first = some ? part_firsts[part] : 0;
    int last = some ? min(offsets[row + 1], first + LIMIT) : 0;
    float sum = add_by_group<32>(columns, values, x, first, last);
    if (some && threadIdx.x % 32 == 0)
        atomicAdd(y + row, sum);
}
