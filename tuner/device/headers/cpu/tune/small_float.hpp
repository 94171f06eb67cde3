/* SPDX-License-Identifier: Apache-2.0 */
/*
 * small_float.hpp - a 16-bit floating-point type, its pair, and CUDA's functions on both, for the CPU device. Included
 * by cuda_fp16.h and cuda_bf16.h, once each, after they have defined
 *     TUNE_SMALL, TUNE_SMALL2   the types: __half, __half2
 *     TUNE_RAW, TUNE_RAW2       structs of their bits: __half_raw, __half2_raw
 *     TUNE_WORD                 what names of conversions contain: half
 *     TUNE_DIGITS, TUNE_LOWEST  binary digits of the significand, exponent of the least normal number
 *
 * Every operation is computed in double precision and rounded once, to nearest even: sums, products, quotients and
 * square roots of numbers with at most 11 digits are exact in double precision or far enough from the middle between
 * two results that the first rounding does not matter (53 >= 2 * 11 + 2; Figueroa, "When is double rounding innocuous?",
 * 1995). A fused multiply-add is rounded to odd first, which is right whatever the exponents (Boldo & Melquiond, 2008).
 */
#define TUNE_GLUE_(a, b, c)  a##b##c
#define TUNE_GLUE(a, b, c)   TUNE_GLUE_(a, b, c)
#define TUNE_TO(from, mode)  TUNE_GLUE(from, TUNE_WORD, mode)
#define TUNE_FROM(to)        TUNE_GLUE(__, TUNE_WORD, to)
#define TUNE_PAIR_OF(before) TUNE_GLUE(before, TUNE_WORD, 2)

#ifndef TUNE_SMALL_FLOAT_ONCE
#define TUNE_SMALL_FLOAT_ONCE
enum tune_rounding { TUNE_NEAREST, TUNE_TOWARDS_ZERO, TUNE_DOWN, TUNE_UP };

/* The bits of `x` in a format of 16 bits. NaN becomes the one that a GPU makes, all ones but for the sign. */
template <int digits, int lowest> TUNE_INLINE unsigned short tune_small(double x, tune_rounding rounding)
{
    unsigned long bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    unsigned sign = (unsigned)(bits >> 48) & 0x8000u;
    const unsigned infinite = 0x7fffu >> (digits - 1) << (digits - 1);
    bits &= ~0ul >> 1;
    if (bits > 0x7fful << 52)
        return 0x7fff;
    if (bits == 0x7fful << 52)
        return (unsigned short)(sign | infinite);
    int exponent = (int)(bits >> 52) - 1023;
    unsigned long significand = (bits & ((1ul << 52) - 1)) | (unsigned long)(exponent > -1023) << 52;
    int base = exponent > lowest ? exponent : lowest, dropped = 53 - digits + base - exponent;
    if (dropped > 55) { /* less than half of the least number */
        dropped = 55;
        significand = significand != 0;
    }
    unsigned long kept = significand >> dropped, rest = significand & ((1ul << dropped) - 1), half = 1ul << (dropped - 1);
    bool up = rounding == TUNE_NEAREST ? rest > half || (rest == half && (kept & 1))
              : rounding == TUNE_DOWN  ? rest && sign
              : rounding == TUNE_UP    ? rest && !sign
                                       : false;
    unsigned long small = ((unsigned long)(base - lowest) << (digits - 1)) + kept + up;
    if (small >= infinite) {
        bool away = rounding == TUNE_NEAREST || (rounding == TUNE_DOWN && sign) || (rounding == TUNE_UP && !sign);
        small = away ? infinite : infinite - 1;
    }
    return (unsigned short)(sign | small);
}

template <int digits> TUNE_INLINE float tune_small_value(unsigned short small)
{
    unsigned sign = (unsigned)(small & 0x8000u) << 16, bits = (unsigned)(small & 0x7fffu) << (24 - digits);
    float value, scale = digits == 11 ? 0x1p112f : 1.0f; /* moves the exponent's bias; numbers below normal as well */
    if ((small & 0x7fffu) >= (0x7fffu >> (digits - 1) << (digits - 1))) {
        bits |= 0x7f800000u;
        scale = 1.0f;
    }
    __builtin_memcpy(&value, &bits, sizeof value);
    value *= scale;
    __builtin_memcpy(&bits, &value, sizeof bits);
    bits |= sign;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

/* a * b + c with an odd last digit unless it is exact; a * b must be exact. */
TUNE_INLINE double tune_odd_fma(double a, double b, double c)
{
    double product = a * b, sum = product + c, back = sum - product;
    double rest = (product - (sum - back)) + (c - back);
    unsigned long bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    if (rest != 0 && rest - rest == 0 && !(bits & 1)) {
        bits += (rest > 0) == (sum > 0) ? 1ul : ~0ul;
        __builtin_memcpy(&sum, &bits, sizeof sum);
    }
    return sum;
}
/* A number to be rounded once more. */
TUNE_INLINE double tune_odd(double x)
{
    return x;
}
TUNE_INLINE double tune_odd(float x)
{
    return x;
}
template <class T> TUNE_INLINE double tune_odd(T x)
{
    if constexpr (sizeof x == 8)
        return tune_odd_fma((double)(x >> 32), 0x1p32, (double)(unsigned int)x);
    else
        return (double)x;
}
#endif

/* ---- the types ---- */

struct TUNE_RAW {
    unsigned short x;
};
struct __align__(4) TUNE_RAW2 {
    unsigned short x, y;
};

TUNE_INLINE unsigned short TUNE_GLUE(tune_, TUNE_WORD, _bits)(double x, tune_rounding rounding = TUNE_NEAREST)
{
    return tune_small<TUNE_DIGITS, TUNE_LOWEST>(x, rounding);
}
#define TUNE_BITS TUNE_GLUE(tune_, TUNE_WORD, _bits)

struct __align__(2) TUNE_SMALL {
    unsigned short __x;
    TUNE_SMALL() = default;
    constexpr TUNE_SMALL(const TUNE_RAW &raw) : __x(raw.x) {}
    TUNE_SMALL(float x) : __x(TUNE_BITS(x)) {}
    TUNE_SMALL(double x) : __x(TUNE_BITS(x)) {}
    operator TUNE_RAW() const { return {__x}; }
    operator float() const { return tune_small_value<TUNE_DIGITS>(__x); }
    constexpr operator bool() const { return (__x & 0x7fff) != 0; }
#define TUNE_INTEGER(type, least, most)                                                                               \
    TUNE_SMALL(type x) : __x(TUNE_BITS(tune_odd(x))) {}                                                                 \
    TUNE_SMALL &operator=(type x) { __x = TUNE_BITS(tune_odd(x)); return *this; }                                       \
    operator type() const { return tune_clamped<type>(__builtin_trunc((float)*this), least, most); }
    TUNE_INTEGER(short, -32768, 32767)
    TUNE_INTEGER(unsigned short, 0, 65535)
    TUNE_INTEGER(int, -__INT_MAX__ - 1, __INT_MAX__)
    TUNE_INTEGER(unsigned int, 0u, ~0u)
    TUNE_INTEGER(long long, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__)
    TUNE_INTEGER(unsigned long long, 0ull, ~0ull)
    TUNE_INTEGER(long, -__LONG_MAX__ - 1, __LONG_MAX__)
    TUNE_INTEGER(unsigned long, 0ul, ~0ul)
#undef TUNE_INTEGER
    operator signed char() const { return (signed char)tune_clamped<int>(__builtin_trunc((float)*this), -128, 127); }
    operator char() const { return (char)(signed char)*this; }
    operator unsigned char() const { return (unsigned char)tune_clamped<int>(__builtin_trunc((float)*this), 0, 255); }
    TUNE_SMALL &operator=(const TUNE_RAW &raw) { __x = raw.x; return *this; }
    TUNE_SMALL &operator=(float x) { __x = TUNE_BITS(x); return *this; }
    TUNE_SMALL &operator=(double x) { __x = TUNE_BITS(x); return *this; }
};
struct __align__(4) TUNE_SMALL2 {
    TUNE_SMALL x, y;
    TUNE_SMALL2() = default;
    constexpr TUNE_SMALL2(const TUNE_SMALL &a, const TUNE_SMALL &b) : x(a), y(b) {}
    constexpr TUNE_SMALL2(const TUNE_RAW2 &raw) : x(TUNE_RAW{raw.x}), y(TUNE_RAW{raw.y}) {}
    operator TUNE_RAW2() const { return {x.__x, y.__x}; }
    TUNE_SMALL2 &operator=(const TUNE_RAW2 &raw) { x.__x = raw.x, y.__x = raw.y; return *this; }
};

TUNE_INLINE TUNE_SMALL TUNE_GLUE(tune_, TUNE_WORD, _of)(double x, tune_rounding rounding = TUNE_NEAREST)
{
    return TUNE_RAW{TUNE_BITS(x, rounding)};
}
#define TUNE_OF      TUNE_GLUE(tune_, TUNE_WORD, _of)
#define TUNE_F(x)    ((float)(x))
#define TUNE_EACH(f) {f(a.x), f(a.y)}
#define TUNE_BOTH(f) {f(a.x, b.x), f(a.y, b.y)}
#define TUNE_ALL(f)  {f(a.x, b.x, c.x), f(a.y, b.y, c.y)}

/* ---- conversions ---- */

TUNE_INLINE TUNE_SMALL TUNE_TO(__double2, )(double x) { return TUNE_OF(x); }
TUNE_INLINE TUNE_SMALL TUNE_TO(__float2, )(float x) { return TUNE_OF(x); }
TUNE_INLINE float TUNE_FROM(2float)(TUNE_SMALL a) { return a; }
#define TUNE_MODES(from, type)                                                                                        \
    TUNE_INLINE TUNE_SMALL TUNE_TO(__##from##2, _rn)(type x) { return TUNE_OF(tune_odd(x)); }                           \
    TUNE_INLINE TUNE_SMALL TUNE_TO(__##from##2, _rz)(type x) { return TUNE_OF(tune_odd(x), TUNE_TOWARDS_ZERO); }        \
    TUNE_INLINE TUNE_SMALL TUNE_TO(__##from##2, _rd)(type x) { return TUNE_OF(tune_odd(x), TUNE_DOWN); }                \
    TUNE_INLINE TUNE_SMALL TUNE_TO(__##from##2, _ru)(type x) { return TUNE_OF(tune_odd(x), TUNE_UP); }
TUNE_MODES(float, float)
TUNE_MODES(short, short)
TUNE_MODES(ushort, unsigned short)
TUNE_MODES(int, int)
TUNE_MODES(uint, unsigned int)
TUNE_MODES(ll, long long)
TUNE_MODES(ull, unsigned long long)
#undef TUNE_MODES
#define TUNE_MODES(to, type, least, most)                                                                             \
    TUNE_INLINE type TUNE_FROM(2##to##_rn)(TUNE_SMALL a) { return tune_clamped<type>(__builtin_nearbyint(TUNE_F(a)), least, most); } \
    TUNE_INLINE type TUNE_FROM(2##to##_rz)(TUNE_SMALL a) { return tune_clamped<type>(__builtin_trunc(TUNE_F(a)), least, most); } \
    TUNE_INLINE type TUNE_FROM(2##to##_rd)(TUNE_SMALL a) { return tune_clamped<type>(__builtin_floor(TUNE_F(a)), least, most); } \
    TUNE_INLINE type TUNE_FROM(2##to##_ru)(TUNE_SMALL a) { return tune_clamped<type>(__builtin_ceil(TUNE_F(a)), least, most); }
TUNE_MODES(short, short, -32768, 32767)
TUNE_MODES(ushort, unsigned short, 0, 65535)
TUNE_MODES(int, int, -__INT_MAX__ - 1, __INT_MAX__)
TUNE_MODES(uint, unsigned int, 0u, ~0u)
TUNE_MODES(ll, long long, -__LONG_LONG_MAX__ - 1, __LONG_LONG_MAX__)
TUNE_MODES(ull, unsigned long long, 0ull, ~0ull)
#undef TUNE_MODES
TUNE_INLINE signed char TUNE_FROM(2char_rz)(TUNE_SMALL a) { return a; }
TUNE_INLINE unsigned char TUNE_FROM(2uchar_rz)(TUNE_SMALL a) { return a; }
TUNE_INLINE short TUNE_GLUE(__, TUNE_WORD, _as_short)(TUNE_SMALL a) { return (short)a.__x; }
TUNE_INLINE unsigned short TUNE_GLUE(__, TUNE_WORD, _as_ushort)(TUNE_SMALL a) { return a.__x; }
TUNE_INLINE TUNE_SMALL TUNE_TO(__short_as_, )(short bits) { return TUNE_RAW{(unsigned short)bits}; }
TUNE_INLINE TUNE_SMALL TUNE_TO(__ushort_as_, )(unsigned short bits) { return TUNE_RAW{bits}; }

TUNE_INLINE TUNE_SMALL2 TUNE_PAIR_OF(make_)(TUNE_SMALL a, TUNE_SMALL b) { return {a, b}; }
TUNE_INLINE TUNE_SMALL2 TUNE_PAIR_OF(__halves2)(TUNE_SMALL a, TUNE_SMALL b) { return {a, b}; }
TUNE_INLINE TUNE_SMALL2 TUNE_GLUE(__float2, TUNE_WORD, 2_rn)(float a) { return {TUNE_OF(a), TUNE_OF(a)}; }
TUNE_INLINE TUNE_SMALL2 TUNE_GLUE(__floats2, TUNE_WORD, 2_rn)(float a, float b) { return {TUNE_OF(a), TUNE_OF(b)}; }
TUNE_INLINE TUNE_SMALL2 TUNE_GLUE(__float22, TUNE_WORD, 2_rn)(float2 a) { return {TUNE_OF(a.x), TUNE_OF(a.y)}; }
TUNE_INLINE float2 TUNE_FROM(22float2)(TUNE_SMALL2 a) { return {a.x, a.y}; }
TUNE_INLINE float __low2float(TUNE_SMALL2 a) { return a.x; }
TUNE_INLINE float __high2float(TUNE_SMALL2 a) { return a.y; }
TUNE_INLINE TUNE_SMALL TUNE_TO(__low2, )(TUNE_SMALL2 a) { return a.x; }
TUNE_INLINE TUNE_SMALL TUNE_TO(__high2, )(TUNE_SMALL2 a) { return a.y; }
TUNE_INLINE TUNE_SMALL2 TUNE_PAIR_OF(__low2)(TUNE_SMALL2 a) { return {a.x, a.x}; }
TUNE_INLINE TUNE_SMALL2 TUNE_PAIR_OF(__high2)(TUNE_SMALL2 a) { return {a.y, a.y}; }
TUNE_INLINE TUNE_SMALL2 TUNE_PAIR_OF(__lows2)(TUNE_SMALL2 a, TUNE_SMALL2 b) { return {a.x, b.x}; }
TUNE_INLINE TUNE_SMALL2 TUNE_PAIR_OF(__highs2)(TUNE_SMALL2 a, TUNE_SMALL2 b) { return {a.y, b.y}; }
TUNE_INLINE TUNE_SMALL2 __lowhigh2highlow(TUNE_SMALL2 a) { return {a.y, a.x}; }

/* ---- arithmetic ---- */

#define TUNE_ONE(name, body)                                                                                          \
    TUNE_INLINE TUNE_SMALL name(TUNE_SMALL a) { return body; }                                                        \
    TUNE_INLINE TUNE_SMALL2 name##2(TUNE_SMALL2 a) { return TUNE_EACH(name); }
TUNE_ONE(__hneg, (TUNE_RAW{(unsigned short)(a.__x ^ 0x8000)}))
TUNE_ONE(__habs, (TUNE_RAW{(unsigned short)(a.__x & 0x7fff)}))
#undef TUNE_ONE
TUNE_INLINE bool __hisnan(TUNE_SMALL a) { return TUNE_F(a) != TUNE_F(a); }
TUNE_INLINE TUNE_SMALL2 __hisnan2(TUNE_SMALL2 a) { return {TUNE_OF(__hisnan(a.x)), TUNE_OF(__hisnan(a.y))}; }
TUNE_INLINE int __hisinf(TUNE_SMALL a)
{
    return __builtin_isinf(TUNE_F(a)) ? (TUNE_F(a) > 0 ? 1 : -1) : 0;
}
TUNE_INLINE TUNE_SMALL TUNE_GLUE(tune_, TUNE_WORD, _saturated)(double x)
{
    return TUNE_OF(x > 0 ? (x < 1 ? x : 1) : 0);
}
#define TUNE_SATURATED TUNE_GLUE(tune_, TUNE_WORD, _saturated)
#define TUNE_BINARY(word, sign)                                                                                       \
    TUNE_INLINE TUNE_SMALL __h##word(TUNE_SMALL a, TUNE_SMALL b) { return TUNE_OF((double)TUNE_F(a) sign TUNE_F(b)); } \
    TUNE_INLINE TUNE_SMALL operator sign(const TUNE_SMALL &a, const TUNE_SMALL &b) { return __h##word(a, b); }        \
    TUNE_INLINE TUNE_SMALL &operator sign##=(TUNE_SMALL &a, const TUNE_SMALL &b) { return a = __h##word(a, b); }      \
    TUNE_INLINE TUNE_SMALL2 operator sign(const TUNE_SMALL2 &a, const TUNE_SMALL2 &b) { return TUNE_BOTH(__h##word); } \
    TUNE_INLINE TUNE_SMALL2 &operator sign##=(TUNE_SMALL2 &a, const TUNE_SMALL2 &b) { return a = a sign b; }
TUNE_BINARY(add, +)
TUNE_BINARY(sub, -)
TUNE_BINARY(mul, *)
TUNE_BINARY(div, /)
#undef TUNE_BINARY
TUNE_INLINE TUNE_SMALL2 __h2div(TUNE_SMALL2 a, TUNE_SMALL2 b) { return a / b; }
#define TUNE_BINARY(word, sign)                                                                                       \
    TUNE_INLINE TUNE_SMALL __h##word##_rn(TUNE_SMALL a, TUNE_SMALL b) { return __h##word(a, b); }                     \
    TUNE_INLINE TUNE_SMALL __h##word##_sat(TUNE_SMALL a, TUNE_SMALL b) { return TUNE_SATURATED((double)TUNE_F(a) sign TUNE_F(b)); } \
    TUNE_INLINE TUNE_SMALL2 __h##word##2(TUNE_SMALL2 a, TUNE_SMALL2 b) { return TUNE_BOTH(__h##word); }               \
    TUNE_INLINE TUNE_SMALL2 __h##word##2_rn(TUNE_SMALL2 a, TUNE_SMALL2 b) { return TUNE_BOTH(__h##word); }            \
    TUNE_INLINE TUNE_SMALL2 __h##word##2_sat(TUNE_SMALL2 a, TUNE_SMALL2 b) { return TUNE_BOTH(__h##word##_sat); }
TUNE_BINARY(add, +)
TUNE_BINARY(sub, -)
TUNE_BINARY(mul, *)
#undef TUNE_BINARY
#define TUNE_FMA(name, rounded)                                                                                       \
    TUNE_INLINE TUNE_SMALL __hfma##name(TUNE_SMALL a, TUNE_SMALL b, TUNE_SMALL c)                                     \
    {                                                                                                                 \
        double x = tune_odd_fma(TUNE_F(a), TUNE_F(b), TUNE_F(c));                                                     \
        return rounded;                                                                                               \
    }                                                                                                                 \
    TUNE_INLINE TUNE_SMALL2 __hfma2##name(TUNE_SMALL2 a, TUNE_SMALL2 b, TUNE_SMALL2 c) { return TUNE_ALL(__hfma##name); }
TUNE_FMA(, TUNE_OF(x))
TUNE_FMA(_sat, TUNE_SATURATED(x))
TUNE_FMA(_relu, TUNE_OF(x != x || x > 0 ? x : 0))
#undef TUNE_FMA
/* Complex numbers: a * b + c. */
TUNE_INLINE TUNE_SMALL2 __hcmadd(TUNE_SMALL2 a, TUNE_SMALL2 b, TUNE_SMALL2 c)
{
    return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
TUNE_INLINE TUNE_SMALL operator+(const TUNE_SMALL &a) { return a; }
TUNE_INLINE TUNE_SMALL operator-(const TUNE_SMALL &a) { return __hneg(a); }
TUNE_INLINE TUNE_SMALL2 operator+(const TUNE_SMALL2 &a) { return a; }
TUNE_INLINE TUNE_SMALL2 operator-(const TUNE_SMALL2 &a) { return __hneg2(a); }
#define TUNE_STEP(sign, word)                                                                                         \
    TUNE_INLINE TUNE_SMALL &operator sign(TUNE_SMALL &a) { return a = __h##word(a, TUNE_OF(1)); }                     \
    TUNE_INLINE TUNE_SMALL operator sign(TUNE_SMALL &a, int)                                                          \
    {                                                                                                                 \
        TUNE_SMALL old = a;                                                                                           \
        a = __h##word(a, TUNE_OF(1));                                                                                 \
        return old;                                                                                                   \
    }                                                                                                                 \
    TUNE_INLINE TUNE_SMALL2 &operator sign(TUNE_SMALL2 &a)                                                            \
    {                                                                                                                 \
        return a = TUNE_SMALL2(__h##word(a.x, TUNE_OF(1)), __h##word(a.y, TUNE_OF(1)));                                          \
    }
TUNE_STEP(++, add)
TUNE_STEP(--, sub)
#undef TUNE_STEP

/* ---- comparisons: the second form also holds if an operand is NaN ---- */

#define TUNE_COMPARE(word, sign)                                                                                      \
    TUNE_INLINE bool __h##word(TUNE_SMALL a, TUNE_SMALL b)                                                            \
    {                                                                                                                 \
        return TUNE_F(a) sign TUNE_F(b) && !__hisnan(a) && !__hisnan(b);                                              \
    }                                                                                                                 \
    TUNE_INLINE bool __h##word##u(TUNE_SMALL a, TUNE_SMALL b)                                                         \
    {                                                                                                                 \
        return TUNE_F(a) sign TUNE_F(b) || __hisnan(a) || __hisnan(b);                                                \
    }                                                                                                                 \
    TUNE_INLINE TUNE_SMALL2 __h##word##2(TUNE_SMALL2 a, TUNE_SMALL2 b)                                                \
    {                                                                                                                 \
        return {TUNE_OF(__h##word(a.x, b.x)), TUNE_OF(__h##word(a.y, b.y))};                                          \
    }                                                                                                                 \
    TUNE_INLINE TUNE_SMALL2 __h##word##u2(TUNE_SMALL2 a, TUNE_SMALL2 b)                                               \
    {                                                                                                                 \
        return {TUNE_OF(__h##word##u(a.x, b.x)), TUNE_OF(__h##word##u(a.y, b.y))};                                    \
    }                                                                                                                 \
    TUNE_INLINE unsigned int __h##word##2_mask(TUNE_SMALL2 a, TUNE_SMALL2 b)                                          \
    {                                                                                                                 \
        return (__h##word(a.x, b.x) ? 0xffffu : 0u) | (__h##word(a.y, b.y) ? 0xffff0000u : 0u);                       \
    }                                                                                                                 \
    TUNE_INLINE unsigned int __h##word##u2_mask(TUNE_SMALL2 a, TUNE_SMALL2 b)                                         \
    {                                                                                                                 \
        return (__h##word##u(a.x, b.x) ? 0xffffu : 0u) | (__h##word##u(a.y, b.y) ? 0xffff0000u : 0u);                 \
    }                                                                                                                 \
    TUNE_INLINE bool __hb##word##2(TUNE_SMALL2 a, TUNE_SMALL2 b) { return __h##word(a.x, b.x) && __h##word(a.y, b.y); } \
    TUNE_INLINE bool __hb##word##u2(TUNE_SMALL2 a, TUNE_SMALL2 b)                                                     \
    {                                                                                                                 \
        return __h##word##u(a.x, b.x) && __h##word##u(a.y, b.y);                                                      \
    }
TUNE_COMPARE(eq, ==)
TUNE_COMPARE(ne, !=)
TUNE_COMPARE(le, <=)
TUNE_COMPARE(ge, >=)
TUNE_COMPARE(lt, <)
TUNE_COMPARE(gt, >)
#undef TUNE_COMPARE
#define TUNE_COMPARE(sign, name)                                                                                      \
    TUNE_INLINE bool operator sign(const TUNE_SMALL &a, const TUNE_SMALL &b) { return name(a, b); }                   \
    TUNE_INLINE bool operator sign(const TUNE_SMALL2 &a, const TUNE_SMALL2 &b) { return name(a.x, b.x) && name(a.y, b.y); }
TUNE_COMPARE(==, __heq)
TUNE_COMPARE(!=, __hneu)
TUNE_COMPARE(<=, __hle)
TUNE_COMPARE(>=, __hge)
TUNE_COMPARE(<, __hlt)
TUNE_COMPARE(>, __hgt)
#undef TUNE_COMPARE

/* Of a number and NaN the number, of NaN and NaN the one that a GPU makes; +0 is greater than -0. */
#define TUNE_CHOICE(word, sign, zero)                                                                                 \
    TUNE_INLINE TUNE_SMALL __h##word(TUNE_SMALL a, TUNE_SMALL b)                                                      \
    {                                                                                                                 \
        if (__hisnan(a) || __hisnan(b))                                                                               \
            return __hisnan(a) && __hisnan(b) ? TUNE_SMALL(TUNE_RAW{0x7fff}) : __hisnan(a) ? b : a;                   \
        if (TUNE_F(a) == TUNE_F(b))                                                                                   \
            return TUNE_RAW{(unsigned short)(a.__x zero b.__x)};                                                      \
        return TUNE_F(a) sign TUNE_F(b) ? a : b;                                                                      \
    }                                                                                                                 \
    TUNE_INLINE TUNE_SMALL __h##word##_nan(TUNE_SMALL a, TUNE_SMALL b)                                                \
    {                                                                                                                 \
        return __hisnan(a) || __hisnan(b) ? TUNE_SMALL(TUNE_RAW{0x7fff}) : __h##word(a, b);                           \
    }                                                                                                                 \
    TUNE_INLINE TUNE_SMALL2 __h##word##2(TUNE_SMALL2 a, TUNE_SMALL2 b) { return TUNE_BOTH(__h##word); }               \
    TUNE_INLINE TUNE_SMALL2 __h##word##2_nan(TUNE_SMALL2 a, TUNE_SMALL2 b) { return TUNE_BOTH(__h##word##_nan); }
TUNE_CHOICE(max, >, &)
TUNE_CHOICE(min, <, |)
#undef TUNE_CHOICE

/* ---- functions ---- */

#define TUNE_FUNCTION(word, value)                                                                                    \
    TUNE_INLINE TUNE_SMALL h##word(TUNE_SMALL a)                                                                      \
    {                                                                                                                 \
        double x = TUNE_F(a);                                                                                         \
        return TUNE_OF(value);                                                                                        \
    }                                                                                                                 \
    TUNE_INLINE TUNE_SMALL2 h2##word(TUNE_SMALL2 a) { return TUNE_EACH(h##word); }
TUNE_FUNCTION(sqrt, __builtin_sqrt(x))
TUNE_FUNCTION(rsqrt, 1 / __builtin_sqrt(x))
TUNE_FUNCTION(rcp, 1 / x)
TUNE_FUNCTION(log, __builtin_log(x))
TUNE_FUNCTION(log2, __builtin_log2(x))
TUNE_FUNCTION(log10, __builtin_log10(x))
TUNE_FUNCTION(exp, __builtin_exp(x))
TUNE_FUNCTION(exp2, __builtin_exp2(x))
TUNE_FUNCTION(exp10, exp10(x))
TUNE_FUNCTION(sin, __builtin_sin(x))
TUNE_FUNCTION(cos, __builtin_cos(x))
TUNE_FUNCTION(tanh, __builtin_tanh(x))
TUNE_FUNCTION(tanh_approx, __builtin_tanh(x))
TUNE_FUNCTION(trunc, __builtin_trunc(x))
TUNE_FUNCTION(ceil, __builtin_ceil(x))
TUNE_FUNCTION(floor, __builtin_floor(x))
TUNE_FUNCTION(rint, __builtin_nearbyint(x))
#undef TUNE_FUNCTION

/* ---- atomics: of a pair, each half by itself, as on a GPU ---- */

TUNE_INLINE TUNE_SMALL atomicAdd(TUNE_SMALL *p, TUNE_SMALL value)
{
    unsigned short old = __atomic_load_n(&p->__x, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&p->__x, &old, __hadd(TUNE_RAW{old}, value).__x, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
    return TUNE_RAW{old};
}
TUNE_INLINE TUNE_SMALL2 atomicAdd(TUNE_SMALL2 *p, TUNE_SMALL2 value)
{
    return {atomicAdd(&p->x, value.x), atomicAdd(&p->y, value.y)};
}

#undef TUNE_BITS
#undef TUNE_OF
#undef TUNE_F
#undef TUNE_EACH
#undef TUNE_BOTH
#undef TUNE_ALL
#undef TUNE_SATURATED
#undef TUNE_GLUE
#undef TUNE_GLUE_
#undef TUNE_TO
#undef TUNE_FROM
#undef TUNE_PAIR_OF
#undef TUNE_SMALL
#undef TUNE_SMALL2
#undef TUNE_RAW
#undef TUNE_RAW2
#undef TUNE_WORD
#undef TUNE_DIGITS
#undef TUNE_LOWEST
