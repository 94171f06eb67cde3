/* SPDX-License-Identifier: Apache-2.0 */
/*
 * brent_kung.cuh - an inclusive scan in shared memory, after Brent and Kung: a tree of sums, then the same tree
 * backwards, which hands each sum on to the values between.
 *
 * 2 log2(n) - 1 steps with 2 n - 2 - log2(n) additions. Who adds is a matter of form:
 *   modulo       thread t has value t, and adds if t + 1 is a multiple of what is asked for: the active threads are
 *                scattered over all warps, which keep busy with few active lanes;
 *   contiguous   thread t has the t-th of the values that change: the active threads are the first ones, half as many
 *                threads do, and whole warps retire; but its lanes' values lie 2s apart and share banks.
 * A thread's value is nobody else's in a step, so one barrier a step is enough.
 */
#ifndef SCAN_BRENT_KUNG_CUH
#define SCAN_BRENT_KUNG_CUH

#include "element.cuh"

#define SCAN_ROOM(LENGTH) (LENGTH)

/* The values that a step with this stride looks at end at this index of thread t; beyond LENGTH there are none. */
template <bool MODULO> static __device__ __forceinline__ int last_of(int thread, int stride)
{
    if (MODULO)
        return (thread + 1) % (2 * stride) == 0 ? thread : 1 << 30;
    return 2 * stride * (thread + 1) - 1;
}

/*
 * By all threads, of which there are LENGTH or more, or LENGTH / 2 for the contiguous form. Barriers before and after
 * it are its own. Returns the results.
 */
template <int LENGTH, bool MODULO> static __device__ __forceinline__ element *scan_tree(element *values)
{
    int thread = threadIdx.x;
    for (int stride = 1; stride < LENGTH; stride *= 2) {
        int last = last_of<MODULO>(thread, stride);
        __syncthreads();
        if (last < LENGTH)
            values[last] += values[last - stride];
    }
    for (int stride = LENGTH / 4; stride > 0; stride /= 2) {
        int last = last_of<MODULO>(thread, stride);
        __syncthreads();
        if (last < LENGTH - stride)
            values[last + stride] += values[last];
    }
    __syncthreads();
    return values;
}

#endif
