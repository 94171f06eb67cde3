/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/number.h"

#include <math.h>
#include <string.h>

static uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t cut(enum element element, uint64_t bits)
{
    size_t bytes = element_types[element].bytes;
    return bytes == 8 ? bits : bits & ((UINT64_C(1) << (8 * bytes)) - 1);
}

/* The two formats of 16 bits: exponents of `width` bits, the rest but one is the fraction. */
static int exponent_width(enum element element)
{
    return element == ELEMENT_HALF ? 5 : 8;
}

/* In units of the last place of its binade, or of the subnormal numbers, a double is rounded to a whole number. */
static uint64_t to_16_bits(int width, double value)
{
    const int fraction = 15 - width, bias = (1 << (width - 1)) - 1;
    const uint64_t sign = signbit(value) ? 0x8000 : 0, infinity = ((UINT64_C(1) << width) - 1) << fraction;
    if (isnan(value))
        return sign | infinity | UINT64_C(1) << (fraction - 1);
    int exponent;
    frexp(value, &exponent); /* |value| is in [2^(exponent - 1), 2^exponent) */
    if (isinf(value) || exponent > bias + 1)
        return sign | infinity;
    int binade = exponent - 1 > 1 - bias && value != 0 ? exponent - 1 : 1 - bias;
    double units = ldexp(fabs(value), fraction - binade), whole = floor(units);
    if (units - whole > 0.5 || (units - whole == 0.5 && fmod(whole, 2) == 1))
        whole++;
    /* The fraction's implicit bit, and a carry, count up the exponent. */
    uint64_t bits = (uint64_t)whole + ((uint64_t)(binade + bias - 1) << fraction);
    return sign | (bits < infinity ? bits : infinity);
}

static double of_16_bits(int width, uint64_t bits)
{
    const int fraction = 15 - width, bias = (1 << (width - 1)) - 1, highest = (1 << width) - 1;
    int exponent = (int)(bits >> fraction) & highest;
    double part = (double)(bits & ((UINT64_C(1) << fraction) - 1)), value;
    if (exponent == highest)
        value = part == 0 ? INFINITY : NAN;
    else if (exponent == 0)
        value = ldexp(part, 1 - bias - fraction);
    else
        value = ldexp(part + ldexp(1, fraction), exponent - bias - fraction);
    return bits & 0x8000 ? -value : value;
}

uint64_t number_to_bits(enum element element, double value)
{
    uint32_t single;
    float narrow = (float)value;
    switch (element) {
    case ELEMENT_DOUBLE:
        return bits_of_double(value);
    case ELEMENT_FLOAT:
        memcpy(&single, &narrow, sizeof single);
        return single;
    case ELEMENT_HALF:
    case ELEMENT_BFLOAT16:
        return to_16_bits(exponent_width(element), value);
    default:
        return cut(element, value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value);
    }
}

double number_of_bits(enum element element, uint64_t bits)
{
    const struct element_type *type = &element_types[element];
    double real;
    float single;
    uint32_t low = (uint32_t)bits;
    switch (element) {
    case ELEMENT_DOUBLE:
        memcpy(&real, &bits, sizeof real);
        return real;
    case ELEMENT_FLOAT:
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case ELEMENT_HALF:
    case ELEMENT_BFLOAT16:
        return of_16_bits(exponent_width(element), bits);
    default:
        bits = cut(element, bits);
        if (type->is_signed && bits >> (8 * type->bytes - 1)) /* extends the sign */
            return -(double)(cut(element, ~bits) + 1);
        return (double)bits;
    }
}
