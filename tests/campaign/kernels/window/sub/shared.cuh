/* SPDX-License-Identifier: Apache-2.0 */
/* shared.cuh - loads the tile of a block: one value per thread, and the first of the next block. */
static __device__ void load(const float *scaled, int count, int n)
{
    int last = min(n + count - 1, (int)(blockIdx.x + 1) * BLOCK + count - 1);
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < last; i += BLOCK)
        tile[i - blockIdx.x * BLOCK] = scaled[i];
}
