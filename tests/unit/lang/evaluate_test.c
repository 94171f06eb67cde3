/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/expressions.h"

static void test_errors(void **state)
{
    (void)state;
    expect("1 / 0", "error: division by zero");
    expect("1 % 0.0", "error: division by zero");
    expect("0 ** -1", "error: division by zero");
    expect("9223372036854775807 + 1", "error: the result of + is too large");
    expect("2 ** 63", "error: the result of ** is too large");
    expect("-(-9223372036854775807 - 1)", "error: the result of - is too large");
    expect("1e308 * 10", "error: the result of * is too large");
    expect("(-8) ** 0.5", "error: this power of a negative number is not real");
    expect("1 << -1", "error: negative shift count");
    expect("'a' + 1", "error: + cannot be applied to str and int");
    expect("-'a'", "error: - cannot be applied to str");
    expect("1 & 2.0", "error: & cannot be applied to int and float");
    expect("'a' < 1", "error: < cannot compare str and int");
    expect("max(1, 'a')", "error: max() cannot compare str and int");
    expect("max([])", "error: max() of an empty list");
    expect("1 in 2", "error: `in` needs a list on its right, not int");
    expect("area", "error: area has no value here");
    expect("device.sm_count", "error: device.sm_count has no value here");
}

static void test_exact_comparison(void **state)
{
    (void)state;
    expect("9007199254740993 == 9007199254740992.0", "false");
    expect("9007199254740993 > 9007199254740992.0", "true");
    expect("9223372036854775807 < 9223372036854775808.0", "true");
    expect("1 == 1.0 == True", "true");
    expect("'1' == 1", "false");
}

static void test_place_of_errors(void **state)
{
    (void)state;
    struct expressions f;
    struct value value;
    start(&f);
    assert_true(parse(&f, "1 +\n2") == false); /* a newline ends the expression */
    assert_int_equal(f.error.line, 1);
    assert_int_equal(f.error.column, 4);
    assert_true(parse(&f, "1 + TILE * 2"));
    assert_false(expr_evaluate(f.expr, f.slots, &value, &f.error));
    assert_string_equal(f.error.text, "parameter TILE has no value");
    assert_int_equal(f.error.column, 5);
    assert_int_equal(f.error.caret_length, 4);
    assert_false(expr_evaluate(f.expr, f.slots, &value, NULL)); /* the error may be NULL */
    arena_free(&f.arena);
}

static void test_typed_results(void **state)
{
    (void)state;
    struct expressions f;
    int64_t integer = 0;
    double real = 0;
    bool truth = false;
    start(&f);
    assert_true(parse(&f, "16.0") && expr_integer(f.expr, f.slots, &integer, &f.error));
    assert_int_equal(integer, 16);
    assert_true(parse(&f, "16.5"));
    assert_false(expr_integer(f.expr, f.slots, &integer, &f.error));
    assert_string_equal(f.error.text, "expected a whole number, got 16.5");
    assert_true(parse(&f, "true") && expr_number(f.expr, f.slots, &real, &f.error));
    assert_true(real == 1);
    assert_true(parse(&f, "'text'"));
    assert_false(expr_number(f.expr, f.slots, &real, &f.error));
    assert_string_equal(f.error.text, "expected a number, got \"text\"");
    assert_true(expr_truth(f.expr, f.slots, &truth, &f.error) && truth);
    arena_free(&f.arena);
}

/* Sides that are not chosen are not evaluated: only thus can a condition guard them. */
static void test_laziness(void **state)
{
    (void)state;
    expect("0 and 1 / 0", "0");
    expect("5 or 1 / 0", "5");
    expect("1 if true else area", "1");
    expect("area if false else 2", "2");
    expect("2 < 1 < 1 / 0", "false");
    expect("1 and 2 and 3", "3");
    expect("'' or 0 or 0.0", "0.0");
    expect("1 and '' and 1 / 0", "\"\"");
    expect("3 and 1 / 0", "error: division by zero");
    expect("0 if 1 / 0 else 1", "error: division by zero");
}

/* Each pair of a chain is compared once; `in` may end one, and may search a string. */
static void test_chains(void **state)
{
    (void)state;
    expect("1 < 2 < 3", "true");
    expect("1 < 3 < 2", "false");
    expect("3 > 1 < 2", "true"); /* 3 > 1 and 1 < 2 */
    expect("1 < 2 in [2, 3]", "true");
    expect("1 < 4 in [2, 3]", "false");
    expect("5 < 2 in [2, 3]", "false");
    expect("'b' not in 'abc'", "false");
    expect("'' in 'abc'", "true");
    expect("'a' in 'b' in ['b']", "false");
    expect("'a' != 1 and not 'a' == 1", "true");
    expect("1 <= 1.0 <= True", "true");
}

static void test_extrema(void **state)
{
    (void)state;
    expect("min(2, 1, 3)", "1");
    expect("max([2, 1, 3])", "3");
    expect("max(1, 1.0, True)", "1"); /* the first of equals */
    expect("min(True, 1.0, 1)", "true");
    expect("max('b', 'a')", "\"b\"");
    expect("min(-9223372036854775808, -1e300)", "-1e+300");
    expect("min(range(0))", "error: min() of an empty list");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),          cmocka_unit_test(test_exact_comparison),
        cmocka_unit_test(test_place_of_errors), cmocka_unit_test(test_typed_results),
        cmocka_unit_test(test_laziness),        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_extrema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
