/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/expressions.h"
#include "tuner/lang/function.h"

#include <math.h>

static void test_functions(void **state)
{
    (void)state;
    expect("ceil_div(7, 2)", "4");
    expect("ceil_div(-7, 2)", "-3");
    expect("ceil_div(8.0, 2)", "4");
    expect("ceil_div(9223372036854775807, 2)", "4611686018427387904");
    expect("round_up(13, 8)", "16");
    expect("round_up(16, 8)", "16");
    expect("round(2.5)", "2");
    expect("round(3.5)", "4");
    expect("round(-0.5)", "0");
    expect("max(pow2(1, 100))", "64");
    expect("min(range(5, 9))", "5");
    expect("min(3, 1.0, 1)", "1.0");
    expect("8 in pow2(1, 8) and 7 not in pow2(1, 8)", "true");
    expect("4 in range(0, 10, 2) and 5 not in range(0, 10, 2)", "true");
    expect("999999999999 in range(1000000000000)", "true");
    expect("3 in [1, 2] + [3]", "true");
    expect("3 in ([1] if TILE == 16 else [3])", "false");
    expect("16 in (8, 16)", "true");
    expect("TILE * 2", "32");
}

/* n u / (1 - n u) and exp(10 sqrt(n) u + n u^2 / (1 - u)) - 1, u = 2^-24, by Python's decimal module to 20 digits. */
static void test_error_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double wanted;
    } cases[] = {
        {"gamma(2)", 1.1920930376163765927e-7},           {"gamma(4096)", 2.4420024420024420024e-4},
        {"sum_error(1)", 5.9604662894234149121e-7},       {"sum_error(4096)", 3.8147714813734583082e-5},
        {"sum_error(2 ** 30)", 1.9727122656853013874e-2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expressions f;
        double got;
        start(&f);
        assert_true(parse(&f, cases[i].text));
        assert_true(expr_number(f.expr, f.slots, &got, &f.error));
        assert_true(fabs(got / cases[i].wanted - 1) < 1e-14);
        arena_free(&f.arena);
    }
    expect("gamma(0)", "0.0");
    expect("sum_error(0)", "0.0");
    expect("gamma(2 ** 24)", "error: gamma(1.67772e+07) is undefined: n must be at least 0 and less than 2**24");
}

static void test_errors(void **state)
{
    (void)state;
    expect("sqrt(-1)", "error: sqrt() of a negative number: -1");
    expect("log2(0)", "error: log2() needs a positive number, not 0");
    expect("int('1')", "error: int() needs a number, not str");
    expect("ceil_div(1, 0)", "error: division by zero in ceil_div()");
    expect("ceil_div(1.5, 2)", "error: ceil_div() needs whole numbers, not 1.5");
    expect("int(1e30)", "error: the result of int() does not fit in 64 bits");
    expect("float(true)", "1.0");
    expect("abs('a')", "error: abs() needs a number, not str");
    expect("abs(-9223372036854775807 - 1)", "error: the result of abs() does not fit in 64 bits");
    expect("ceil('a')", "error: ceil() needs a number, not str");
    expect("round_up(1, 0)", "error: division by zero in round_up()");
    expect("round_up(9223372036854775807, 2)", "error: the result of round_up() does not fit in 64 bits");
    expect("round_up('a', 2)", "error: round_up() needs whole numbers, not \"a\"");
    expect("gamma(-1)", "error: gamma(-1) is undefined: n must be at least 0 and less than 2**24");
    expect("sum_error(-1)", "error: sum_error(-1): the number of terms cannot be negative");
    expect("sum_error(1e300)", "error: sum_error(1e+300) is too large for a float");
}

__extension__ typedef __int128 wide;

/* ceil_div and round_up against their definitions, in 128 bits, at small and at extreme operands. */
static void test_division_by_brute_force(void **state)
{
    (void)state;
    static const int64_t operands[] = {INT64_MIN, INT64_MIN + 1, -7,       -6, -2, -1, 0, 1, 2, 6, 7,
                                       8,         INT64_MAX - 1, INT64_MAX};
    enum { COUNT = sizeof operands / sizeof *operands };
    const struct place nowhere = {0};
    for (size_t i = 0; i < COUNT * COUNT; i++) {
        wide a = operands[i / COUNT], b = operands[i % COUNT];
        const struct value arguments[] = {value_integer((int64_t)a), value_integer((int64_t)b)};
        struct value got;
        if (b == 0)
            continue;
        wide quotient = a / b;
        quotient += quotient * b != a && (a < 0) == (b < 0); /* C rounds towards 0 */
        bool fits = quotient >= INT64_MIN && quotient <= INT64_MAX;
        assert_int_equal(functions[FUNCTION_CEIL_DIV].apply(arguments, nowhere, &got, NULL), fits);
        if (fits)
            assert_true(got.integer == (int64_t)quotient);
        bool product_fits = fits && quotient * b >= INT64_MIN && quotient * b <= INT64_MAX;
        assert_int_equal(functions[FUNCTION_ROUND_UP].apply(arguments, nowhere, &got, NULL), product_fits);
        if (product_fits)
            assert_true(got.integer == (int64_t)(quotient * b));
    }
}

/* Rounding against C's own, which goes to even from halfway in the default rounding mode. */
static void test_rounding(void **state)
{
    (void)state;
    const struct place nowhere = {0};
    for (int i = -1000; i <= 1000; i++) {
        const double real = i / 8.0;
        const struct value argument = value_float(real);
        struct value got;
        assert_true(functions[FUNCTION_ROUND].apply(&argument, nowhere, &got, NULL));
        assert_int_equal(got.integer, (int64_t)nearbyint(real));
        assert_true(functions[FUNCTION_CEIL].apply(&argument, nowhere, &got, NULL));
        assert_int_equal(got.integer, (int64_t)ceil(real));
        assert_true(functions[FUNCTION_FLOOR].apply(&argument, nowhere, &got, NULL));
        assert_int_equal(got.integer, (int64_t)floor(real));
        assert_true(functions[FUNCTION_INT].apply(&argument, nowhere, &got, NULL));
        assert_int_equal(got.integer, (int64_t)real);
    }
    expect("round(0.49999999999999994)", "0"); /* plus 0.5 it would be 1 */
    expect("round(4503599627370497.5)", "4503599627370498");
    expect("ceil(9223372036854775808.0)", "error: the result of ceil() does not fit in 64 bits");
    expect("floor(-9223372036854775808.0)", "-9223372036854775808");
    expect("abs(-0.0)", "0.0");
    expect("abs(true)", "1");
}

static void test_find(void **state)
{
    (void)state;
    enum function function;
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        assert_true(function_find(functions[i].name, strlen(functions[i].name), &function));
        assert_int_equal(function, i);
    }
    assert_true(function_find("minimum", 3, &function) && function == FUNCTION_MIN);
    assert_false(function_find("min", 2, &function) || function_find("minimum", 7, &function));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions), cmocka_unit_test(test_error_bounds),
        cmocka_unit_test(test_errors),    cmocka_unit_test(test_division_by_brute_force),
        cmocka_unit_test(test_rounding),  cmocka_unit_test(test_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
