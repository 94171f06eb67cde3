/* SPDX-License-Identifier: Apache-2.0 */
/*
 * curve.cuh - a quadratic Bezier curve: how many points it is drawn with, and where they are. Shared by all variants.
 *
 * The number is that of the text book: DENSITY times the curvature, from LEAST to a size of the problem. The curvature is
 * the distance from the middle control point to the middle of the chord, over the length of the chord. Since it decides
 * where everything is, it must not depend on how a compiler contracts or orders operations: each is rounded on its own,
 * and roots and quotients are correctly rounded.
 */
#ifndef BEZIER_CURVE_CUH
#define BEZIER_CURVE_CUH

enum { LEAST = 4 };
#define DENSITY 16.0f

struct curve {
    float2 first, middle, last; /* control points */
};

static __device__ __forceinline__ curve load_curve(const float2 *__restrict__ controls, int number)
{
    curve own;
    own.first = controls[3 * (size_t)number];
    own.middle = controls[3 * (size_t)number + 1];
    own.last = controls[3 * (size_t)number + 2];
    return own;
}

static __device__ __forceinline__ float length_of(float x, float y)
{
    return __fsqrt_rn(__fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)));
}

/* At most `most`, if that is at least LEAST. A curve whose ends meet has `most`; one that is a single point, LEAST. */
static __device__ __forceinline__ int count_points(const curve &own, int most)
{
    float chord = length_of(__fsub_rn(own.last.x, own.first.x), __fsub_rn(own.last.y, own.first.y));
    float bend = length_of(__fsub_rn(own.middle.x, __fmul_rn(0.5f, __fadd_rn(own.first.x, own.last.x))),
                           __fsub_rn(own.middle.y, __fmul_rn(0.5f, __fadd_rn(own.first.y, own.last.y))));
    float wanted = __fmul_rn(DENSITY, __fdiv_rn(bend, chord));
    if (!(wanted >= LEAST)) /* also if it is NaN */
        return LEAST;
    return wanted < (float)most ? (int)wanted : most;
}

/* Point i of `count`: the first and the last are the curve's ends, exactly. */
static __device__ __forceinline__ float2 point_of(const curve &own, int i, int count)
{
    float u = (float)i / (float)(count - 1);
    float v = 1.0f - u;
    float of_first = v * v, of_middle = 2.0f * u * v, of_last = u * u;
    return make_float2(of_first * own.first.x + of_middle * own.middle.x + of_last * own.last.x,
                       of_first * own.first.y + of_middle * own.middle.y + of_last * own.last.y);
}

#endif
