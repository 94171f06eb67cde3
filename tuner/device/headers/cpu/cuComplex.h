/* SPDX-License-Identifier: Apache-2.0 */
/* cuComplex.h - complex numbers for the CPU device: float2 and double2. */
#ifndef TUNE_CUCOMPLEX_H
#define TUNE_CUCOMPLEX_H
#define TUNE_COMPLEX(complex, real, f)                                                                                \
    TUNE_INLINE real cuCreal##f(complex z) { return z.x; }                                                            \
    TUNE_INLINE real cuCimag##f(complex z) { return z.y; }                                                            \
    TUNE_INLINE complex make_##complex(real re, real im) { return {re, im}; }                                         \
    TUNE_INLINE complex cuConj##f(complex z) { return {z.x, -z.y}; }                                                  \
    TUNE_INLINE complex cuCadd##f(complex a, complex b) { return {a.x + b.x, a.y + b.y}; }                            \
    TUNE_INLINE complex cuCsub##f(complex a, complex b) { return {a.x - b.x, a.y - b.y}; }                            \
    TUNE_INLINE complex cuCmul##f(complex a, complex b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }    \
    TUNE_INLINE complex cuCfma##f(complex a, complex b, complex c)                                                    \
    {                                                                                                                 \
        return {a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y};                                            \
    }                                                                                                                 \
    /* Scaled, so that no intermediate result overflows or vanishes. */                                               \
    TUNE_INLINE complex cuCdiv##f(complex a, complex b)                                                               \
    {                                                                                                                 \
        real scale = 1 / (__builtin_fabs##f(b.x) + __builtin_fabs##f(b.y));                                           \
        complex p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};                                       \
        real square = 1 / (q.x * q.x + q.y * q.y);                                                                    \
        return {(p.x * q.x + p.y * q.y) * square, (p.y * q.x - p.x * q.y) * square};                                  \
    }                                                                                                                 \
    TUNE_INLINE real cuCabs##f(complex z) { return __builtin_hypot##f(z.x, z.y); }
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
TUNE_COMPLEX(cuFloatComplex, float, f)
TUNE_COMPLEX(cuDoubleComplex, double, )
#undef TUNE_COMPLEX
TUNE_INLINE cuComplex make_cuComplex(float re, float im) { return {re, im}; }
TUNE_INLINE cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
TUNE_INLINE cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return {(float)z.x, (float)z.y}; }
#endif
