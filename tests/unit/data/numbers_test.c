/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/data/numbers.h"

#include <math.h>
#include <string.h>

static void expect(char kind, unsigned bytes, const void *from, double wanted)
{
    double got;
    enum element element;
    assert_true(numpy_element(kind, bytes, &element));
    numbers_to_double(element, from, 1, &got);
    assert_memory_equal(&got, &wanted, sizeof got);
}

/* What the compiler makes of the same number. */
static void test_values(void **state)
{
    (void)state;
    expect('f', 8, &(double){-1.0 / 3}, -1.0 / 3);
    expect('f', 4, &(float){1.0F / 3}, (double)(1.0F / 3));
    expect('i', 1, &(int8_t){-128}, -128);
    expect('i', 2, &(int16_t){-32768}, -32768);
    expect('i', 4, &(int32_t){-7}, -7);
    expect('i', 8, &(int64_t){INT64_MIN}, -0x1p63);
    expect('u', 1, &(uint8_t){255}, 255);
    expect('u', 4, &(uint32_t){UINT32_MAX}, 0xffffffffp0);
    expect('u', 8, &(uint64_t){UINT64_MAX}, 0x1p64);
    expect('b', 1, &(uint8_t){1}, 1);
    expect('f', 4, &(float){INFINITY}, (double)INFINITY);
}

/* IEEE 754's own examples of binary16: the least subnormal, the greatest, one, the infinities. */
static void test_halves(void **state)
{
    (void)state;
    static const struct {
        uint16_t bits;
        double value;
    } cases[] = {{0, 0},
                 {0x8000, -0.0},
                 {1, 0x1p-24},
                 {0x3ff, 0x3ffp-24},
                 {0x400, 0x1p-14},
                 {0x3c00, 1},
                 {0xc000, -2},
                 {0x7bff, 65504},
                 {0x3555, 0x555p-12},
                 {0x7c00, (double)INFINITY},
                 {0xfc00, -(double)INFINITY}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect('f', 2, &cases[i].bits, cases[i].value);
}

/* A NaN with every bit set is what an element that was never written looks like. */
static void test_nan(void **state)
{
    (void)state;
    expect('f', 8, &(uint64_t){UINT64_MAX}, (double)NAN);
    expect('f', 4, &(uint32_t){UINT32_MAX}, (double)NAN);
    expect('f', 2, &(uint16_t){0xfe01}, (double)NAN);
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        char kind;
        unsigned bytes;
        bool known;
        const char *name;
    } cases[] = {{'f', 8, true, "float64"},
                 {'f', 2, true, "float16"},
                 {'f', 16, false, "float128"},
                 {'i', 3, false, "int24"},
                 {'u', 1, true, "uint8"},
                 {'b', 1, true, "bool"},
                 {'O', 0, false, "object"},
                 {'c', 8, false, "complex64"},
                 {'?', 1, false, "an unknown type"},
                 {'V', 2, false, "void16"},
                 {'\0', 2, false, "an unknown type"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[32], again[32];
        enum element element;
        numpy_name(cases[i].kind, cases[i].bytes, name);
        assert_string_equal(name, cases[i].name);
        bool known = numpy_element(cases[i].kind, cases[i].bytes, &element);
        assert_int_equal(known, cases[i].known);
        if (!known || cases[i].kind == 'b')
            continue;
        numpy_element_name(element, again);
        assert_string_equal(again, name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_halves),
                                       cmocka_unit_test(test_nan), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
