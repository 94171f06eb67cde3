/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/space/explain.h"

#include <stdio.h>

#define TEMPLATE                                                                                                     \
    "template t\nsize n = 4\nparameter A\nparameter B\nsource \"k.cu\"\nbuffer y : float[n] out\n"                   \
    "launch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

/* Counted by hand: every constraint that removes something, with the last of them as the place. */
static void test_counts(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, TEMPLATE,
                   "space s of t\nparam A = [1, 2, 3]\nparam B = [1, 2]\n"
                   "where A >= 1\nwhere A > 1\nwhere A * B > 90\nwhere B > 5\n");
    assert_false(explain_empty(fixture.problem, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_INPUT);
    assert_string_equal(fixture.error.text, "the constraints of space s leave none of its 6 configurations:\n"
                                            "    where A > 1 removes 2\n    where A * B > 90 removes 4");
    assert_string_equal(fixture.error.hint, "the sizes are n=4; the device is Test GPU");
    assert_int_equal(fixture.error.line, 6);
    fixture_free(&fixture);
}

/* More constraints than an error has room for are cut off. */
static void test_long(void **state)
{
    (void)state;
    struct fixture fixture;
    char text[8192] = "space s of t\nparam A = range(100)\nparam B = [1, 2]\n";
    for (int i = 0; i < 100; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "where A != %d and A < 1000000000 and B < 100000000000\n", i);
    }
    fixture_create(&fixture, TEMPLATE, text);
    assert_false(explain_empty(fixture.problem, &fixture.error));
    assert_int_equal(strlen(fixture.error.text), sizeof fixture.error.text - 1);
    assert_mentions(fixture.error.text, "where A != 3 and A < 1000000000 and B < 100000000000 removes 2\n");
    assert_false(explain_empty(fixture.problem, NULL));
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
