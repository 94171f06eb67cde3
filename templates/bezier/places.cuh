/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places.cuh - brings the points from where a variant puts them to where they are compared: without gaps, in the order of
 * their curves. Untimed.
 *
 * Curve n begins at starts[n] of `packed`. A count or a start that is wrong must not lead out of memory: what is compared
 * then is NaN, or is missing.
 */
#ifndef BEZIER_PLACES_CUH
#define BEZIER_PLACES_CUH

#include "../sums.cuh"

enum { PLACING = 256 };

static __device__ __forceinline__ int bounded(int count, int most)
{
    return min(max(count, 0), most);
}

/* Where the points of each curve begin. A single block, a thread for neighbouring curves. */
__global__ void __launch_bounds__(PLACING) place_curves(const int *counts, unsigned *places, int curves, int most)
{
    int each = (curves - 1) / PLACING + 1;
    int first = min((int)threadIdx.x * each, curves), end = min(first + each, curves);
    unsigned sum = 0;
    for (int n = first; n < end; n++)
        sum += (unsigned)bounded(counts[n], most);
    unsigned place = sum_up_to<PLACING>(sum) - sum;
    for (int n = first; n < end; n++) {
        places[n] = place;
        place += (unsigned)bounded(counts[n], most);
    }
}

/* A block a curve. */
__global__ void gather(const float2 *packed, const unsigned *starts, const int *counts, const unsigned *places,
                       float2 *points, int curves, int most)
{
    int n = blockIdx.x;
    float nan = __int_as_float(0x7fffffff);
    long long held = (long long)curves * most;
    for (int i = threadIdx.x; i < bounded(counts[n], most); i += blockDim.x)
        points[places[n] + i] = starts[n] + (long long)i < held ? packed[starts[n] + i] : make_float2(nan, nan);
}

#endif
