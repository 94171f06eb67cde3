/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/job/scalar.h"

#include <math.h>

static struct error error;

static bool convert(struct value value, enum element element, void *bytes, size_t size)
{
    unsigned char all[8];
    struct place nowhere = {0};
    if (!scalar_convert(value, element, nowhere, all, &error))
        return false;
    for (size_t i = size; i < 8; i++)
        assert_int_equal(all[i], 0);
    memcpy(bytes, all, size); /* the host is little-endian */
    return true;
}

/* Each type at both ends of its range and one beyond, by C's limits. */
static void test_integer_ranges(void **state)
{
    (void)state;
    const struct {
        enum element element;
        int64_t least, most;
    } cases[] = {
        {ELEMENT_CHAR, INT8_MIN, INT8_MAX},    {ELEMENT_UCHAR, 0, UINT8_MAX},
        {ELEMENT_SHORT, INT16_MIN, INT16_MAX}, {ELEMENT_USHORT, 0, UINT16_MAX},
        {ELEMENT_INT, INT32_MIN, INT32_MAX},   {ELEMENT_UINT, 0, UINT32_MAX},
        {ELEMENT_LONG, INT64_MIN, INT64_MAX},  {ELEMENT_ULONG, 0, INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = element_types[cases[i].element].bytes;
        int64_t back = 0;
        assert_true(convert(value_integer(cases[i].most), cases[i].element, &back, size));
        assert_true(back == cases[i].most);
        back = 0;
        assert_true(convert(value_integer(cases[i].least), cases[i].element, &back, size));
        uint64_t mask = size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1;
        assert_true((uint64_t)back == ((uint64_t)cases[i].least & mask));
        if (cases[i].most < INT64_MAX)
            assert_false(convert(value_integer(cases[i].most + 1), cases[i].element, &back, size));
        if (cases[i].least > INT64_MIN)
            assert_false(convert(value_integer(cases[i].least - 1), cases[i].element, &back, size));
        assert_int_equal(error.code, ERROR_INPUT);
    }
}

static void test_integers_from_others(void **state)
{
    (void)state;
    int32_t whole;
    int64_t wide;
    assert_true(convert(value_float(-16.0), ELEMENT_INT, &whole, 4) && whole == -16);
    assert_true(convert(value_boolean(true), ELEMENT_INT, &whole, 4) && whole == 1);
    assert_false(convert(value_float(16.5), ELEMENT_INT, &whole, 4));
    assert_false(convert(value_float(NAN), ELEMENT_INT, &whole, 4));
    assert_false(convert(value_float(INFINITY), ELEMENT_LONG, &wide, 8));
    assert_false(convert(value_float(0x1p63), ELEMENT_LONG, &wide, 8));
    assert_true(convert(value_float(-0x1p63), ELEMENT_LONG, &wide, 8) && wide == INT64_MIN);
    assert_false(convert(value_string("4"), ELEMENT_INT, &whole, 4));
    assert_false(convert(value_integer(3000000000), ELEMENT_INT, &whole, 4));
    assert_mentions(error.text, "3000000000 does not fit");
    assert_mentions(error.hint, "long(...)");
}

static void test_reals(void **state)
{
    (void)state;
    float narrow;
    double wide;
    assert_true(convert(value_float(0.1), ELEMENT_FLOAT, &narrow, 4) && narrow == 0.1f);
    assert_true(convert(value_float(0.1), ELEMENT_DOUBLE, &wide, 8) && wide == 0.1);
    assert_true(convert(value_integer(16777217), ELEMENT_FLOAT, &narrow, 4) && narrow == 16777216.0f);
    assert_true(convert(value_float(-INFINITY), ELEMENT_FLOAT, &narrow, 4) && isinf(narrow));
    assert_false(convert(value_float(1e39), ELEMENT_FLOAT, &narrow, 4));
    assert_mentions(error.hint, "double(...)");
    assert_int_equal(scalar_default_type(value_float(2.0)), ELEMENT_FLOAT);
    assert_int_equal(scalar_default_type(value_integer(2)), ELEMENT_INT);
    assert_int_equal(scalar_default_type(value_boolean(true)), ELEMENT_INT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integer_ranges),
        cmocka_unit_test(test_integers_from_others),
        cmocka_unit_test(test_reals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
