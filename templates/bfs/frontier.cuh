/* SPDX-License-Identifier: Apache-2.0 */
/*
 * frontier.cuh - a search with queues begins: the source stands in the first one.
 */
#ifndef BFS_FRONTIER_CUH
#define BFS_FRONTIER_CUH

#include "push.cuh"

__global__ void __launch_bounds__(BLOCK)
    start(const int *__restrict__ source, int *levels, int *frontier, unsigned *length, int vertices)
{
    start_levels(levels, source[0], vertices);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        frontier[0] = source[0];
        length[0] = 1;
    }
}

#endif
