/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coo.cu - the row beside each nonzero: any thread can take any of them, and adds it to y by an atomic operation.
 *
 *   BLOCK, ITEMS, AGGREGATE, STREAM  as tuples.cuh has them.
 *
 * Limit: memory bandwidth, with 12 bytes a nonzero instead of 8, if additions are aggregated; else the atomic units of
 * the L2 cache, which take one addition to an address at a time, and a row's are neighbours.
 */
#include "tuples.cuh"

/* prepare: a warp a row. */
__global__ void list_rows(const int *offsets, int *listed, int rows)
{
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows)
        return;
    for (int i = offsets[row] + (int)threadIdx.x % 32; i < offsets[row + 1]; i += 32)
        listed[i] = row;
}
