/* SPDX-License-Identifier: Apache-2.0 */
/*
 * polynomial.cuh - sine and cosine of a phase in [-2 pi, 2 pi] by multiply-adds alone, for the part of the pairs that
 * the special function units have no time for.
 *
 * The phase is k pi + r with r in [-pi/2, pi/2], where a polynomial of degree 9 and one of degree 8 (minimax on that
 * interval, to 2^-24.5 and 2^-22.1) are sine and cosine of r. Both change sign if k is odd. Adding 1.5 * 2^23 rounds to
 * a whole number and leaves k in the lowest bits of the sum.
 *
 * Error: pi as a float is off by 1.5 u, twice that for k = 2 (u = 2^-24); r is rounded, 1.6 u; the last operations of
 * the polynomials are, 1 u, and those before them come to less than another; 2^-22.1 is 3.8 u. Together 11 u, 2^-20.5,
 * less than the special function unit's: one tolerance serves both. (Over all floats in [0, 2 pi] it is 2^-21.3.)
 */
#ifndef MRI_FHD_POLYNOMIAL_CUH
#define MRI_FHD_POLYNOMIAL_CUH

/* Sine and cosine but for their common sign, which is the sign bit of what is returned. */
static __device__ __forceinline__ unsigned int polynomial_phase(float angle, float *sine, float *cosine)
{
    const float rounder = 12582912.0f;
    float shifted = fmaf(angle, 0.318309886f, rounder);
    float r = fmaf(shifted - rounder, -3.14159265f, angle);
    float z = r * r;
    float s = fmaf(fmaf(fmaf(2.634756356e-06f, z, -1.982273970e-04f), z, 8.333242498e-03f), z, -1.666666567e-01f);
    float c = fmaf(fmaf(fmaf(2.347608643e-05f, z, -1.386861084e-03f), z, 4.166566953e-02f), z, -4.999999106e-01f);
    *sine = fmaf(s, r * z, r);
    *cosine = fmaf(c, z, 1.0f);
    return __float_as_uint(shifted) << 31;
}

#endif
