/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The formats of 16 bits by their definition. */
static const struct format {
    enum element element;
    int fraction, bias;
} formats[] = {{ELEMENT_HALF, 10, 15}, {ELEMENT_BFLOAT16, 7, 127}};

static double defined(const struct format *format, unsigned bits)
{
    int exponent = (int)(bits & 0x7fff) >> format->fraction;
    double part = (double)(bits & ((1U << format->fraction) - 1)) / (1 << format->fraction);
    double size = exponent == 0                      ? ldexp(part, 1 - format->bias)
                  : exponent == 2 * format->bias + 1 ? (part == 0 ? INFINITY : NAN)
                                                     : ldexp(1 + part, exponent - format->bias);
    return bits & 0x8000 ? -size : size;
}

static void all_values_are_read_and_written(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        for (unsigned bits = 0; bits < 0x10000; bits++) {
            double wanted = defined(&formats[f], bits), got = number_of_bits(formats[f].element, bits);
            if (isnan(wanted)) {
                assert_true(isnan(got) &&
                            isnan(number_of_bits(formats[f].element, number_to_bits(formats[f].element, got))));
                continue;
            }
            assert_true(got == wanted && signbit(got) == signbit(wanted));
            assert_int_equal(number_to_bits(formats[f].element, wanted), bits);
        }
    }
}

/* The nearest value by search; of two that are equally near, the one with an even last bit. */
static unsigned nearest(const struct format *format, double value)
{
    unsigned low = 0, high = (unsigned)(2 * format->bias + 1) << format->fraction; /* infinity */
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (defined(format, middle) <= value)
            low = middle;
        else
            high = middle;
    }
    /* What is too large rounds as if the exponent went on. */
    double above = isinf(defined(format, high)) ? ldexp(1, format->bias + 1) : defined(format, high);
    double below = defined(format, low);
    if (value - below != above - value)
        return value - below < above - value ? low : high;
    return low % 2 == 0 ? low : high;
}

static void others_are_rounded_to_nearest_even(void **state)
{
    (void)state;
    srand(1);
    for (size_t f = 0; f < 2; f++) {
        const struct format *format = &formats[f];
        unsigned infinity = (unsigned)(2 * format->bias + 1) << format->fraction;
        for (unsigned bits = 0; bits < infinity; bits++) {
            double here = defined(format, bits);
            double next = bits + 1 == infinity ? ldexp(1, format->bias + 1) : defined(format, bits + 1);
            double middle = here + (next - here) / 2;
            const double values[] = {middle, nextafter(middle, 0), nextafter(middle, INFINITY),
                                     here + (next - here) * rand() / RAND_MAX};
            for (size_t i = 0; i < 4; i++) {
                assert_int_equal(number_to_bits(format->element, values[i]), nearest(format, values[i]));
                assert_int_equal(number_to_bits(format->element, -values[i]), nearest(format, values[i]) | 0x8000);
            }
        }
        assert_int_equal(number_to_bits(format->element, 0x1p-1000), 0);
        assert_int_equal(number_to_bits(format->element, 5e-324), 0);
        assert_int_equal(number_to_bits(format->element, 1e300), infinity);
        assert_int_equal(number_to_bits(format->element, -INFINITY), infinity | 0x8000);
    }
    /* In two steps, through a float, this tie would round up. */
    assert_int_equal(number_to_bits(ELEMENT_HALF, 1 + 0x1p-11 - 0x1p-40), 0x3c00);
}

static void the_others_are_those_of_c(void **state)
{
    (void)state;
    float single = 0.1f;
    double real = -0.1;
    uint32_t single_bits;
    uint64_t real_bits;
    memcpy(&single_bits, &single, sizeof single);
    memcpy(&real_bits, &real, sizeof real);
    assert_true(number_to_bits(ELEMENT_FLOAT, 0.1) == single_bits);
    assert_true(number_of_bits(ELEMENT_FLOAT, single_bits) == (double)single);
    assert_true(number_to_bits(ELEMENT_DOUBLE, real) == real_bits);
    assert_true(number_of_bits(ELEMENT_DOUBLE, real_bits) == real);
    static const struct {
        enum element element;
        double value;
        uint64_t bits;
    } integers[] = {
        {ELEMENT_CHAR, -1, 0xff},         {ELEMENT_CHAR, -128, 0x80},
        {ELEMENT_UCHAR, 255, 0xff},       {ELEMENT_SHORT, -2, 0xfffe},
        {ELEMENT_USHORT, 40000, 40000},   {ELEMENT_INT, -0x1p31, 0x80000000},
        {ELEMENT_UINT, 3e9, 3000000000},  {ELEMENT_LONG, -0x1p63, UINT64_C(1) << 63},
        {ELEMENT_LONG, -3, (uint64_t)-3}, {ELEMENT_ULONG, 0x1p63, UINT64_C(1) << 63},
    };
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        assert_true(number_to_bits(integers[i].element, integers[i].value) == integers[i].bits);
        assert_true(number_of_bits(integers[i].element, integers[i].bits) == integers[i].value);
    }
    assert_true(number_of_bits(ELEMENT_UCHAR, 0x1ff) == 255 && number_of_bits(ELEMENT_CHAR, 0xf80) == -128);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_values_are_read_and_written),
        cmocka_unit_test(others_are_rounded_to_nearest_even),
        cmocka_unit_test(the_others_are_those_of_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
