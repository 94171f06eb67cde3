/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"

#define HEAD "template t \"title\"\n"
#define TAIL "\nsource \"k.cu\"\nlaunch { k<<<1, 1>>>() }\n"

#define BUFFERS   "size n = 1\nbuffer x : int[n] in index()\nbuffer y : int[n] out\nbuffer z : int[n] inout index()\n"
#define REFERENCE "reference \"r.cu\" { r<<<1, 1>>>(ref(y), ref(z)) }\n"

static void test_checks(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD BUFFERS REFERENCE "check y exact\ncheck z within gamma(n)" TAIL);
    assert_int_equal(t->check_count, 2);
    assert_int_equal(t->checks[0].buffer, 1);
    assert_null(t->checks[0].bound);
    assert_int_equal(t->checks[1].buffer, 2);
    expect_expr(t->checks[1].bound, "gamma(n)");
    assert_false(t->checks[0].nonfinite || t->checks[1].nonfinite);
    template_free(t);
    t = parse_template_text(HEAD BUFFERS REFERENCE "check y[0 : n - 1] exact\ncheck z exact\n"
                                                   "check y[n - 1 :] within 1" TAIL);
    assert_true(t->checks[0].partial && !t->checks[1].partial && t->checks[2].partial);
    expect_expr(t->checks[0].first, "0");
    expect_expr(t->checks[0].last, "n - 1");
    expect_expr(t->checks[2].first, "n - 1");
    assert_null(t->checks[2].last);
    expect_span(t->checks[0].place, "y[0 : n - 1]");
    template_free(t);
    expect_refused(HEAD BUFFERS "check y[0 : 1] exact\ncheck y exact" TAIL, "y is checked twice");
    expect_refused(HEAD BUFFERS "check y exact\ncheck y[0 : 1] exact" TAIL, "y is checked twice");
    expect_refused(HEAD BUFFERS "check y[0] exact" TAIL, "expected ':', found ']'");
    expect_refused(HEAD BUFFERS "check x exact" TAIL, "x is not an output and cannot be checked");
    expect_refused(HEAD BUFFERS "check y exact\ncheck y exact" TAIL, "y is checked twice");
    expect_refused(HEAD BUFFERS "check n exact" TAIL, "n is a size, not a buffer");
    expect_refused(HEAD BUFFERS "check y" TAIL,
                   "expected 'within', 'absolute', 'exact' or 'below', found the end of the line");
    expect_refused(HEAD BUFFERS REFERENCE "check y exact" TAIL, "output z is never checked");
    expect_refused(HEAD "size n = 1\nbuffer y : int[n] out\ncheck y exact" TAIL,
                   "there is a check but no reference to compare with");
}

static void test_unordered_checks(void **state)
{
    (void)state;
    struct template *t =
        parse_template_text(HEAD BUFFERS REFERENCE "check y unordered\ncheck z[0 : 9] unordered within "
                                                   "n / 1000" TAIL);
    assert_true(t->checks[0].unordered && !t->checks[0].bound && t->checks[1].unordered && t->checks[1].partial);
    expect_expr(t->checks[1].bound, "n / 1000");
    template_free(t);
    expect_refused(HEAD BUFFERS REFERENCE "check y unordered 3" TAIL, "expected the end of the line, found '3'");
    expect_refused(HEAD "size n = 1\nbuffer y : float2[n] out\ncheck y unordered" TAIL,
                   "y is of type float2, whose values have no order");
    expect_refused(HEAD "size n = 1\nbuffer y : float[n] out\ncheck y unordered\n"
                        "reference \"r.cu\" { r<<<1, 1>>>(ref(y), mag(y)) }" TAIL,
                   "an unordered check of y cannot use the magnitudes that the reference writes");
}

static void test_checks_that_allow_nonfinite(void **state)
{
    (void)state;
#define REALS "size n = 1\nbuffer y : float[n] out\nbuffer z : double[n] out\nbuffer w : float[n] out\n"
    struct template *t = parse_template_text(
        HEAD REALS
        "reference \"r.cu\" { r<<<1, 1>>>(ref(y), ref(z), ref(w)) }\ncheck y within gamma(n) allow nonfinite\n"
        "check z exact allow nonfinite\ncheck w exact" TAIL);
    assert_true(t->checks[0].nonfinite && t->checks[1].nonfinite && !t->checks[2].nonfinite);
    expect_expr(t->checks[0].bound, "gamma(n)");
    assert_null(t->checks[1].bound);
    template_free(t);
    expect_refused(HEAD REALS "check y exact allow" TAIL, "expected 'nonfinite', found the end of the line");
    expect_refused(HEAD REALS "check y exact nonfinite" TAIL, "expected the end of the line, found 'nonfinite'");
    expect_refused(HEAD REALS "check y within 1 allow infinity" TAIL, "expected 'nonfinite', found 'infinity'");
    expect_refused(HEAD "size n = 1\nbuffer y : int[n] out\ncheck y exact allow nonfinite" TAIL,
                   "y is of type int, which has neither NaN nor infinities");
}

/* Relative, absolute or both; in this order. */
static void test_tolerances(void **state)
{
    (void)state;
    struct template *t =
        parse_template_text(HEAD REALS "reference \"r.cu\" { r<<<1, 1>>>(ref(y), ref(z), ref(w)) }\n"
                                       "check y[0 : 9] within 2 ** -20 absolute n / 7 allow nonfinite\n"
                                       "check z absolute 1e-9\ncheck w unordered absolute n" TAIL);
    expect_expr(t->checks[0].bound, "2 ** -20");
    expect_expr(t->checks[0].absolute, "n / 7");
    assert_true(t->checks[0].nonfinite && t->checks[2].unordered);
    assert_null(t->checks[1].bound);
    expect_expr(t->checks[1].absolute, "1e-9");
    assert_null(t->checks[2].bound);
    expect_expr(t->checks[2].absolute, "n");
    template_free(t);
    expect_refused(HEAD REALS "check y within 1 absolute" TAIL, "expected a value, found the end of the line");
    expect_refused(HEAD REALS "check y absolute 1 within 1" TAIL, "expected the end of the line, found 'within'");
    expect_refused(HEAD REALS "check y exact absolute 1" TAIL, "expected the end of the line, found 'absolute'");
}

/* They need no reference, and a reference that nothing is compared with is an error. */
static void test_bounds(void **state)
{
    (void)state;
#define RESIDUALS "size n = 1\nbuffer y : float[n] out\nbuffer z : double[n] out\n"
    struct template *t = parse_template_text(HEAD RESIDUALS "check y[1 :] below 2 ** -20\ncheck z below n / 7" TAIL);
    expect_expr(t->checks[0].below, "2 ** -20");
    expect_expr(t->checks[1].below, "n / 7");
    assert_true(t->checks[0].partial && !t->checks[0].bound && !t->checks[0].absolute);
    template_free(t);
    t = parse_template_text(HEAD RESIDUALS "reference \"r.cu\" { r<<<1, 1>>>(ref(z)) }\n"
                                           "check y below 1\ncheck z[0 : 9] exact\ncheck z[9 :] below 1" TAIL);
    assert_true(t->checks[0].below && !t->checks[1].below && t->checks[2].below);
    template_free(t);
    t = parse_template_text(HEAD RESIDUALS "reference file(\"z.npy\")\ncheck y below 1\ncheck z exact" TAIL);
    assert_int_equal(t->expected[0].buffer, 1);
    template_free(t);
    expect_refused(HEAD RESIDUALS "check y below" TAIL, "expected a value, found the end of the line");
    expect_refused(HEAD RESIDUALS "check y within 1 below 1" TAIL, "expected the end of the line, found 'below'");
    expect_refused(HEAD RESIDUALS "check y unordered below 1" TAIL,
                   "a check against a bound looks at each element alone: leave `unordered` out");
    expect_refused(HEAD RESIDUALS "check y below 1 allow nonfinite" TAIL,
                   "NaN and infinities are below no bound, so this check cannot allow them");
    expect_refused(HEAD RESIDUALS "check y below 1\ncheck z exact" TAIL,
                   "there is a check but no reference to compare with");
    expect_refused(HEAD RESIDUALS "check y below 1\ncheck z below 1\nreference \"r.cu\" { r<<<1, 1>>>() }" TAIL,
                   "no check compares anything with the reference");
    expect_refused(HEAD RESIDUALS "check y below 1\ncheck z exact\n"
                                  "reference \"r.cu\" { r<<<1, 1>>>(ref(z), ref(y)) }" TAIL,
                   "no check compares y with expected values");
    expect_refused(HEAD RESIDUALS
                   "check y below 1\ncheck z exact\nreference y file(\"y.npy\"), z file(\"z.npy\")" TAIL,
                   "no check compares y with expected values");
    expect_refused(HEAD RESIDUALS "check y below 1\ncheck z below 1\nreference file(\"y.npy\")" TAIL,
                   "whose expected values are in y.npy?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_unordered_checks),
        cmocka_unit_test(test_checks_that_allow_nonfinite),
        cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
