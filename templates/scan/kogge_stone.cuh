/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kogge_stone.cuh - an inclusive scan in shared memory, after Kogge and Stone: in step s every value takes in the one s
 * places before it, s = 1, 2, 4, ...
 *
 * log2(n) steps, the fewest possible, but n log2(n) - n + 1 additions where n - 1 would do. A step reads what others
 * overwrite, so it needs two barriers: one before it reads and one before it writes.
 */
#ifndef SCAN_KOGGE_STONE_CUH
#define SCAN_KOGGE_STONE_CUH

#include "element.cuh"

/* Elements of shared memory that a scan of LENGTH takes. */
#define SCAN_ROOM(LENGTH) (LENGTH)

/* By all threads, of which there are LENGTH or more. Barriers before and after it are its own. Returns the results. */
template <int LENGTH> static __device__ __forceinline__ element *scan_in_place(element *values)
{
    int thread = threadIdx.x;
    for (int stride = 1; stride < LENGTH; stride *= 2) {
        bool adds = thread >= stride && thread < LENGTH;
        element sum = 0;
        __syncthreads();
        if (adds)
            sum = values[thread] + values[thread - stride];
        __syncthreads();
        if (adds)
            values[thread] = sum;
    }
    __syncthreads();
    return values;
}

#endif
