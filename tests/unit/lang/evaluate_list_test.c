/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/expressions.h"

static void test_lists(void **state)
{
    (void)state;
    expect_list("[1, 2.5, 'a', true]", "1 2.5 \"a\" true");
    expect_list("[]", "");
    expect_list("[1, 2,\n 3,]", "1 2 3");
    expect_list("pow2(1, 8)", "1 2 4 8");
    expect_list("pow2(3, 20)", "4 8 16");
    expect_list("pow2(2, 1)", "");
    expect_list("range(4)", "0 1 2 3");
    expect_list("range(1, 9, 3)", "1 4 7");
    expect_list("range(3, 0, -1)", "3 2 1");
    expect_list("range(3, 0)", "");
    expect_list("range(9223372036854775800, 9223372036854775807, 5)", "9223372036854775800 9223372036854775805");
    expect_list("[0] + pow2(1, 4) + range(2)", "0 1 2 4 0 1");
    expect_list("[16*i for i in range(1, 4)]", "16 32 48");
    expect_list("list(range(1, 4)) + [2**i for i in range(3) if i != 1]", "1 2 3 1 4");
    expect_list("[10 * i + j for i in (1, 2) for j in range(i) if i + j != 2]", "10 21");
    expect_list("[i if i % 2 else -i for i in range(4) if i if i < 3]", "1 -2");
    expect_list("[max(j for j in range(i)) for i in [2, 4]] + [max(j for j in range(3))]", "1 3 2");
    expect_list("[16 * i\n for i in [1,\n 2]]", "16 32");
    expect_list("[i for i in range(1000000) if i in [7, 11]]", "7 11");
}

static void test_errors(void **state)
{
    (void)state;
    expect("1 in pow2(0, 4)", "error: pow2() cannot start at 0; the smallest power of two is 1");
    expect("max(range(0, 5, 0))", "error: the step of range() is 0");
    expect("max(range(10 ** 12))", "error: this range has 1000000000000 values; the limit is 1048576");
    expect("max(range(9223372036854775807, -9223372036854775808, -1))",
           "error: this range has 18446744073709551615 values; the limit is 1048576");
    expect("max(range(1.5))", "error: range() needs whole numbers, not 1.5");
    expect("max(pow2(1, 'a'))", "error: pow2() needs whole numbers, not \"a\"");
    expect("1 in [1, 1 / 0]", "error: division by zero"); /* found already, but all are evaluated */
}

/* range() and `in range()` against the loop that they stand for, for all small bounds. */
static void test_range_by_brute_force(void **state)
{
    (void)state;
    for (int start_at = -3; start_at <= 3; start_at++) {
        for (int end = -4; end <= 4; end++) {
            for (int step = -3; step <= 3; step++) {
                char text[64], wanted[64] = "";
                bool member[13] = {false};
                if (step == 0)
                    continue;
                for (int i = start_at; step > 0 ? i < end : i > end; i += step) {
                    sprintf(wanted + strlen(wanted), "%s%d", *wanted ? " " : "", i);
                    member[i + 6] = true;
                }
                snprintf(text, sizeof text, "range(%d, %d, %d)", start_at, end, step);
                expect_list(text, wanted);
                for (int i = -6; i <= 6; i++) {
                    snprintf(text, sizeof text, "%d in range(%d, %d, %d)", i, start_at, end, step);
                    expect(text, member[i + 6] ? "true" : "false");
                }
            }
        }
    }
    expect("2.0 in range(3)", "true");
    expect("2.5 in range(3)", "false");
    expect("'a' in range(3)", "false");
    expect("9223372036854775807 in range(-9223372036854775808, 9223372036854775807)", "false");
    expect("9223372036854775806 in range(-9223372036854775808, 9223372036854775807, 2)", "true");
    expect("-9223372036854775808 in range(9223372036854775807, -9223372036854775808, -1)", "false");
    expect("-9223372036854775807 in range(9223372036854775807, -9223372036854775808, -2)", "true");
}

static void test_limits(void **state)
{
    (void)state;
    struct expressions f;
    struct value *values;
    size_t count;
    start(&f);
    assert_true(parse(&f, "range(1048576)"));
    assert_true(expr_list(f.expr, f.slots, &values, &count, &f.error));
    assert_int_equal(count, 1048576);
    assert_int_equal(values[count - 1].integer, 1048575);
    free(values);
    assert_true(parse(&f, "range(1048576) + [1]"));
    assert_false(expr_list(f.expr, f.slots, &values, &count, &f.error));
    assert_string_equal(f.error.text, "this list has more than 1048576 values");
    arena_free(&f.arena);
    expect_list("pow2(4611686018427387904, 9223372036854775807)", "4611686018427387904");
    expect_list("pow2(4611686018427387905, 9223372036854775807)", "");
}

/* A value where a list stands is an error, also if it is a call: no function's arguments are taken for range()'s. */
static void test_values_are_no_lists(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1",           "'a'",          "TILE",  "1 if 1 else 2",  "max(0, 4, 0, 4)", "min(1, 2, 3, 4, 5, 6, 7, 8)",
        "max([1, 2])", "sum_error(3)", "not 1", "ceil_div(7, 2)", "1 in [1]",        "1 + 2",
    };
    struct expressions f;
    struct value *values;
    size_t count;
    start(&f);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(parse(&f, texts[i]));
        assert_false(expr_list(f.expr, f.slots, &values, &count, &f.error));
        assert_string_equal(f.error.text, "expected a list");
    }
    arena_free(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_range_by_brute_force),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_values_are_no_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
