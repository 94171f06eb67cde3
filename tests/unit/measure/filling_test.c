/* SPDX-License-Identifier: Apache-2.0 */
/* Recipes for initial values: ranges, bits and keys, against values worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/filling.h"

#include <math.h>
#include <string.h>

static struct error error;

static void ranges_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const struct job_buffer buffers[] = {
        {(char *)"x", &scalar_layouts[ELEMENT_UCHAR], 1, BUFFER_IN, INITIAL_UNIFORM, 0, 257},
        {(char *)"x", &scalar_layouts[ELEMENT_UINT], 1, BUFFER_IN, INITIAL_UNIFORM, -1, 5},
        {(char *)"x", &scalar_layouts[ELEMENT_INT], 1, BUFFER_IN, INITIAL_UNIFORM, 0.25, 0.75},
        {(char *)"x", &scalar_layouts[ELEMENT_FLOAT], 1, BUFFER_IN, INITIAL_UNIFORM, 1, 1},
        {(char *)"x", &scalar_layouts[ELEMENT_CHAR], 1, BUFFER_IN, INITIAL_CONSTANT, 128, 0},
        {(char *)"x", &scalar_layouts[ELEMENT_INT], 1, BUFFER_IN, INITIAL_CONSTANT, 0.5, 0},
        {(char *)"x", &scalar_layouts[ELEMENT_INT], 1, BUFFER_IN, INITIAL_CONSTANT, NAN, 0},
    };
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        struct filling filling;
        error = (struct error){0};
        assert_false(filling_of_buffer(&buffers[i], 0, 0, &filling, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_non_null(strstr(error.text, "buffer x"));
    }
}

static struct filling filling_of(enum element element, enum initial_kind kind, double a, double b)
{
    const struct job_buffer buffer = {(char *)"x", &scalar_layouts[element], 1, BUFFER_IN, kind, a, b};
    struct filling filling;
    if (!filling_of_buffer(&buffer, 0, 1, &filling, &error))
        fail_msg("%s", error.text);
    assert_int_equal(filling.kind, kind);
    return filling;
}

/* Two's complement and IEEE 754, in the width of the type. */
static void constants_are_bits(void **state)
{
    (void)state;
    static const struct {
        enum element element;
        double value;
        uint64_t bits;
    } table[] = {
        {ELEMENT_CHAR, -1, 0xff},
        {ELEMENT_CHAR, -128, 0x80},
        {ELEMENT_UCHAR, 255, 0xff},
        {ELEMENT_SHORT, -2, 0xfffe},
        {ELEMENT_UINT, 4294967295.0, 0xffffffff},
        {ELEMENT_INT, -2147483648.0, 0x80000000},
        {ELEMENT_LONG, -3, 0xfffffffffffffffd},
        {ELEMENT_LONG, -0x1p63, 0x8000000000000000},
        {ELEMENT_ULONG, 0x1p63, 0x8000000000000000},
        {ELEMENT_FLOAT, -0.5, 0xbf000000},
        {ELEMENT_FLOAT, 0.1, 0x3dcccccd},
        {ELEMENT_DOUBLE, -0.5, 0xbfe0000000000000},
        {ELEMENT_HALF, -0.5, 0xb800},
        {ELEMENT_HALF, 0.1, 0x2e66},
        {ELEMENT_BFLOAT16, 0.1, 0x3dcd},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct filling filling = filling_of(table[i].element, INITIAL_CONSTANT, table[i].value, 0);
        assert_true(filling_bits(&filling, table[i].element).first == table[i].bits);
    }
    struct filling seven = filling_of_bits(7), poison = filling_poison(), other = filling_other_poison();
    assert_true(filling_bits(&seven, ELEMENT_INT).first == 7 && filling_bits(&seven, ELEMENT_DOUBLE).first == 7);
    assert_int_equal(seven.kind, INITIAL_CONSTANT);
    assert_int_equal(poison.kind, INITIAL_NONE);
    assert_true(filling_bits(&poison, ELEMENT_INT).first == 0 && filling_bits(&other, ELEMENT_INT).first == 1);
}

/* uniform(a, b) holds the integers from ceil(a) to ceil(b) - 1. */
static void integer_ranges_are_half_open(void **state)
{
    (void)state;
    static const struct {
        enum element element;
        double a, b;
        uint64_t first, choices;
    } table[] = {
        {ELEMENT_INT, 0, 10, 0, 10},      {ELEMENT_INT, -3, 4, (uint64_t)-3, 7},
        {ELEMENT_INT, 0.5, 2.5, 1, 2},    {ELEMENT_INT, -0.5, 0.5, 0, 1},
        {ELEMENT_UCHAR, 0, 256, 0, 256},  {ELEMENT_CHAR, -128, 128, (uint64_t)-128, 256},
        {ELEMENT_ULONG, 0, 0x1p64, 0, 0}, {ELEMENT_LONG, -0x1p63, 0x1p63, UINT64_C(1) << 63, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct filling filling = filling_of(table[i].element, INITIAL_UNIFORM, table[i].a, table[i].b);
        struct filling_bits bits = filling_bits(&filling, table[i].element);
        assert_true(bits.first == table[i].first && bits.choices == table[i].choices);
    }
}

static void every_buffer_and_seed_has_a_key(void **state)
{
    (void)state;
    enum { BUFFERS = 20, SEEDS = 20 };
    const struct job_buffer buffer = {
        (char *)"x", &scalar_layouts[ELEMENT_FLOAT], 1, BUFFER_IN, INITIAL_UNIFORM, 0, 1};
    uint64_t keys[BUFFERS * SEEDS];
    for (size_t i = 0; i < BUFFERS * SEEDS; i++) {
        struct filling filling;
        assert_true(filling_of_buffer(&buffer, i % BUFFERS, i / BUFFERS, &filling, &error));
        assert_true(filling.low == 0 && filling.high == 1);
        keys[i] = filling.key;
        for (size_t j = 0; j < i; j++)
            assert_true(keys[j] != keys[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_that_do_not_fit_are_refused),
        cmocka_unit_test(constants_are_bits),
        cmocka_unit_test(integer_ranges_are_half_open),
        cmocka_unit_test(every_buffer_and_seed_has_a_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
