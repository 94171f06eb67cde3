/* SPDX-License-Identifier: Apache-2.0 */
/*
 * double_buffered.cuh - the scan of kogge_stone.cuh between two buffers that change places after each step.
 *
 * Nothing is overwritten that others still read, so one barrier a step is enough, for twice the shared memory.
 */
#ifndef SCAN_DOUBLE_BUFFERED_CUH
#define SCAN_DOUBLE_BUFFERED_CUH

#include "element.cuh"

#define SCAN_ROOM(LENGTH) (2 * (LENGTH))

/* As that of kogge_stone.cuh. */
template <int LENGTH> static __device__ __forceinline__ element *scan_in_place(element *values)
{
    int thread = threadIdx.x;
    element *from = values, *to = values + LENGTH;
    for (int stride = 1; stride < LENGTH; stride *= 2) {
        __syncthreads();
        if (thread < LENGTH)
            to[thread] = thread >= stride ? from[thread] + from[thread - stride] : from[thread];
        element *other = from;
        from = to;
        to = other;
    }
    __syncthreads();
    return from;
}

#endif
