/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/space/axis.h"

#include <string.h>

/* `expected` says which of the given values each position has. */
static void check_order(const struct value *values, size_t count, const size_t *expected)
{
    struct axis axis;
    assert_true(axis_create(&axis, "TILE", values, count));
    assert_string_equal(axis.name, "TILE");
    assert_int_equal(axis.count, count);
    for (size_t position = 0; position < count; position++) {
        const struct value *value = &values[expected[position]];
        assert_int_equal(axis.values[position].kind, value->kind);
        assert_int_equal(axis.positions[expected[position]], position);
        if (value->kind != VALUE_UNSET)
            assert_true(value_equal(axis.values[position], *value));
    }
    axis_clear(&axis);
}

static void test_numbers_ascend(void **state)
{
    (void)state;
    const struct value values[] = {value_integer(64), value_float(0.5), value_integer(-3), value_integer(8)};
    check_order(values, 4, (const size_t[]){2, 1, 3, 0});
}

static void test_others_stay(void **state)
{
    (void)state;
    const struct value strings[] = {value_string("joint"), value_integer(2), value_string("a"), value_integer(1)};
    check_order(strings, 4, (const size_t[]){0, 1, 2, 3});
    const struct value booleans[] = {value_boolean(true), value_boolean(false)};
    check_order(booleans, 2, (const size_t[]){0, 1});
}

static void test_unset_is_last(void **state)
{
    (void)state;
    const struct value unset = {.kind = VALUE_UNSET};
    const struct value numbers[] = {unset, value_integer(7), value_integer(-7)};
    check_order(numbers, 3, (const size_t[]){2, 1, 0});
    const struct value strings[] = {unset, value_string("z"), value_string("a")};
    check_order(strings, 3, (const size_t[]){1, 2, 0});
}

static void test_strings_are_copied(void **state)
{
    (void)state;
    char name[] = "NAME", text[] = "text";
    const struct value value = value_string(text);
    struct axis axis;
    assert_true(axis_create(&axis, name, &value, 1));
    memset(name, 'x', 4);
    memset(text, 'x', 4);
    assert_string_equal(axis.name, "NAME");
    assert_string_equal(axis.values[0].string, "text");
    axis_clear(&axis);
}

static void test_empty_and_largest(void **state)
{
    (void)state;
    enum { MOST = 65535 };
    static struct value values[MOST];
    struct axis axis;
    check_order(NULL, 0, NULL);
    for (size_t i = 0; i < MOST; i++)
        values[i] = value_integer((int64_t)(MOST - i));
    assert_true(axis_create(&axis, "X", values, MOST));
    for (size_t i = 0; i < MOST; i++)
        assert_int_equal(axis.positions[i], MOST - 1 - i);
    axis_clear(&axis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_ascend),    cmocka_unit_test(test_others_stay),
        cmocka_unit_test(test_unset_is_last),     cmocka_unit_test(test_strings_are_copied),
        cmocka_unit_test(test_empty_and_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
