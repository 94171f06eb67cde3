/* SPDX-License-Identifier: Apache-2.0 */
/* Names get slots in turn; formulas are parsed over them and evaluated with the values of slots. */
#include "tests/unit/job/job_fixture.h"

#include <stdlib.h>

static void test_names_and_values(void **state)
{
    (void)state;
    struct job *job = calloc(1, sizeof *job);
    struct error error;
    size_t slot;
    int64_t result;
    assert_non_null(job);
    assert_success(formula_name(job, "m", NAME_COUNT, &slot, &error), &error);
    assert_int_equal(slot, 0);
    assert_success(formula_name(job, "k", NAME_LOOP, &slot, &error), &error);
    assert_int_equal(slot, 1);
    assert_success(formula_name(job, "m", NAME_COUNT, &slot, &error), &error);
    assert_int_equal(slot, 0);
    assert_int_equal(job->name_count, 2);
    struct job_formula formula = {.text = (char[]){"(m + (3)) * k if k in [2, 4] else 10 ** 12"}};
    assert_success(formula_parse(job, &formula, &error), &error);
    struct value values[] = {value_integer(7), value_integer(4)};
    assert_success(expr_integer(formula.expr, values, &result, &error), &error);
    assert_int_equal(result, 40);
    values[1] = value_integer(5);
    assert_success(expr_integer(formula.expr, values, &result, &error), &error);
    assert_true(result == 1000000000000);
    values[1].kind = VALUE_UNSET;
    assert_false(expr_integer(formula.expr, values, &result, &error));
    assert_mentions(error.text, "k has no value");
    job_free(job);
}

static void test_what_is_no_formula(void **state)
{
    (void)state;
    char *const texts[] = {(char[]){"n + 1"}, (char[]){"m +"}, (char[]){""}, (char[]){"\xff"}, (char[]){"m m"}};
    struct job *job = calloc(1, sizeof *job);
    struct error error;
    size_t slot;
    assert_non_null(job);
    assert_success(formula_name(job, "m", NAME_COUNT, &slot, &error), &error);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct job_formula formula = {.text = texts[i]};
        assert_false(formula_parse(job, &formula, &error));
        assert_int_equal(error.code, ERROR_INPUT);
    }
    job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_values),
        cmocka_unit_test(test_what_is_no_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
