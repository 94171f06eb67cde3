/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places.cuh - brings the points from where a variant puts them to where they are compared: `most` places a curve, 0 where
 * there is no point. Untimed.
 *
 * Curve n begins at starts[n] of `packed`. A start that is wrong must not lead out of it: then what is compared is NaN.
 */
#ifndef BEZIER_PLACES_CUH
#define BEZIER_PLACES_CUH

__global__ void spread(const float2 *packed, const unsigned *starts, const int *counts, float2 *points, int curves,
                       int most)
{
    int n = blockIdx.x;
    float nan = __int_as_float(0x7fffffff);
    long long held = (long long)curves * most;
    for (int i = threadIdx.x; i < most; i += blockDim.x) {
        float2 point = make_float2(0.0f, 0.0f);
        if (i < counts[n])
            point = (long long)starts[n] + i < held ? packed[(size_t)starts[n] + i] : make_float2(nan, nan);
        points[(size_t)n * most + i] = point;
    }
}

#endif
