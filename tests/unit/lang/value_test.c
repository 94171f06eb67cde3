/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/value.h"

#include <string.h>

static void expect_text(struct value value, const char *wanted)
{
    char text[64], tight[4];
    assert_int_equal(value_text(value, text, sizeof text), strlen(wanted));
    assert_string_equal(text, wanted);
    assert_int_equal(value_text(value, tight, sizeof tight), strlen(wanted));
    assert_memory_equal(tight, wanted, strlen(wanted) < 3 ? strlen(wanted) : 3);
    assert_int_equal(strlen(tight), strlen(wanted) < 3 ? strlen(wanted) : 3);
    assert_int_equal(value_text(value, NULL, 0), strlen(wanted));
}

static void test_text(void **state)
{
    (void)state;
    expect_text(value_boolean(true), "true");
    expect_text(value_integer(16), "16");
    expect_text(value_integer(INT64_MIN), "-9223372036854775808");
    expect_text(value_float(0.5), "0.5");
    expect_text(value_float(2), "2.0");
    expect_text(value_float(0.1), "0.1");
    expect_text(value_float(0.1 + 0.2), "0.30000000000000004");
    expect_text(value_float(-0.0), "-0.0");
    expect_text(value_float(1e300), "1e+300");
    expect_text(value_float(5e-324), "5e-324");
    expect_text(value_string("joint"), "\"joint\"");
    expect_text(value_string("a\"b\\c\nd"), "\"a\\\"b\\\\c\\nd\"");
    expect_text((struct value){.kind = VALUE_UNSET}, "unset");
}

static void test_equal(void **state)
{
    (void)state;
    assert_true(value_equal(value_integer(1), value_float(1)));
    assert_true(value_equal(value_boolean(true), value_integer(1)));
    assert_true(value_equal(value_string("a"), value_string("a")));
    assert_false(value_equal(value_string("1"), value_integer(1)));
    assert_false(value_equal(value_integer((INT64_C(1) << 53) + 1), value_float(0x1p53)));
    assert_false(value_equal((struct value){.kind = VALUE_UNSET}, (struct value){.kind = VALUE_UNSET}));
}

static void test_truth(void **state)
{
    (void)state;
    assert_false(value_truth(value_integer(0)) || value_truth(value_float(0)) || value_truth(value_string("")));
    assert_false(value_truth(value_boolean(false)) || value_truth((struct value){.kind = VALUE_UNSET}));
    assert_true(value_truth(value_integer(-1)) && value_truth(value_float(0.1)) && value_truth(value_string("0")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
