/* SPDX-License-Identifier: Apache-2.0 */
/*
 * edge.cu - a thread an entry of the lists: if the vertex whose list it is in has been reached last, reach the other one.
 *
 * It is the simplest kernel, and all threads have the same to do whatever the degrees. But every level reads all entries,
 * and beside each the vertex whose list it is in (`origins`, made beforehand).
 *
 *   BLOCK  threads of a block.
 *
 * Limit: the bandwidth of memory, as often as there are levels.
 */
#include "levels.cuh"

/* `origins`: of each entry the vertex whose list it is in. A block a vertex. */
__global__ void write_origins(const unsigned *__restrict__ offsets, int *__restrict__ origins)
{
    for (unsigned k = offsets[blockIdx.x] + threadIdx.x; k < offsets[blockIdx.x + 1]; k += blockDim.x)
        origins[k] = blockIdx.x;
}

__global__ void __launch_bounds__(BLOCK) start(const int *__restrict__ source, int *levels, int vertices)
{
    start_levels(levels, source[0], vertices);
}

__global__ void __launch_bounds__(BLOCK)
    expand(const int *__restrict__ origins, const int *__restrict__ neighbours, int *levels, int *grown,
           unsigned entries, int level)
{
    unsigned k = blockIdx.x * BLOCK + threadIdx.x;
    bool found = k < entries && peek(&levels[origins[k]]) == level - 1 && claim(levels, neighbours[k], level);
    tell(grown, found);
}
