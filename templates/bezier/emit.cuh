/* SPDX-License-Identifier: Apache-2.0 */
/*
 * emit.cuh - a thread a point: whichever curve it belongs to, the thread finds it.
 *
 * Points are numbered through all curves of a piece; where each of them begins is in shared memory. A warp takes 32 *
 * POINTS points that follow each other, 32 at a time: a thread looks for its first one among all curves, by bisection, and
 * for the next only a few curves farther on. Points are written as they lie in memory, and all threads have as many.
 *
 *   BLOCK   threads of a block.
 *   POINTS  points of a thread.
 */
#ifndef BEZIER_EMIT_CUH
#define BEZIER_EMIT_CUH

#include "curve.cuh"

/* The last of `curves` curves that begins at `number` or before; the first begins there. */
static __device__ __forceinline__ int find_curve(const unsigned *begins, int curves, unsigned number)
{
    int low = 0, high = curves - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (begins[middle] <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/*
 * Points `number`, `number` + 32 ... of a thread, as far as they are before `end`. begins[0] to begins[curves] are the
 * points at which the curves from number `first` on begin, and the last ends.
 */
static __device__ __forceinline__ void emit_points(const float2 *__restrict__ controls, float2 *__restrict__ packed,
                                                   const unsigned *begins, int curves, int first, unsigned number,
                                                   unsigned end)
{
    if (number >= end)
        return;
    int at = find_curve(begins, curves, number);
#pragma unroll
    for (int p = 0; p < POINTS; p++, number += 32) {
        if (number >= end)
            return;
        while (number >= begins[at + 1])
            at++;
        int i = (int)(number - begins[at]), count = (int)(begins[at + 1] - begins[at]);
        packed[number] = point_of(load_curve(controls, first + at), i, count);
    }
}

#endif
