/* SPDX-License-Identifier: Apache-2.0 */
/*
 * root.cuh - 1/sqrt in the fewest instructions, on either kind of unit.
 *
 * Both take squared distances, which are neither denormal nor so large that a power of them overflows: at least
 * (spacing / 4)^2, since no atom is nearer to a slice, and at most the squared diagonal of the grid.
 *
 *   root_special  one operation of the special function unit. rsqrtf also scales denormal numbers, which costs three
 *                 more instructions a pair; `.ftz` says that there are none. Relative error 2^-22.9 (PTX ISA).
 *   root_newton   integer and multiply-add instructions alone, eight of them. Halving and negating the exponent of a
 *                 number, which lies in the upper bits of its word, gives 1/sqrt to 3.4 %; each of two Newton steps
 *                 y (A - d y y) squares the error. The steps leave out the factors that would keep y close to the root:
 *                 the second result is 1/NEWTON_SCALE times the root, to be made up for once in the whole sum.
 *
 * Constants and error of root_newton: let r = y sqrt(d). The magic number is the one for which the extremes of r,
 * which is periodic over d in [1, 4), are closest: m = 0.96421 and M = 1.03178. A step makes r (A - r r), whose
 * values at m and M are the same if A = m m + m M + M M; then they lie between that value and the maximum 2 (A /
 * 3)^1.5. Twice that is a relative spread of +-5.6e-7. The roundings of the second step add: y y, d y y and the
 * difference, of which d y y is a third and the result two thirds, 1.5 u; the product, 1 u; and 1 u in y, since r (A
 * - r r) is flat there; u = 2^-24. Together less than 2^-20. (Over all floats in [1/64, 2^20) it is 2^-20.36.)
 */
#ifndef DCS_ROOT_CUH
#define DCS_ROOT_CUH

#define NEWTON_SCALE 0.0636966601f

static __device__ __forceinline__ float root_special(float d)
{
#ifdef __CUDA_ARCH__
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(d));
    return y;
#else
    return rsqrtf(d);
#endif
}

static __device__ __forceinline__ float root_newton(float d)
{
    float y = __int_as_float(0x5f370070 - (__float_as_int(d) >> 1));
    y *= fmaf(-d, y * y, 2.98909473f);
    y *= fmaf(-d, y * y, 11.8492355f);
    return y;
}

#endif
