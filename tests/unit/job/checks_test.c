/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of checks that depend on counts. What else checks say is tested by case_test.c. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/checks.h"

#define RANGE(blocks, range)                                                                                         \
    "template t\nsize n = 64\nparameter A\nsource \"k.cu\"\ncount m at most n\nlet half = m // 2\n"                  \
    "buffer x : float[n] in uniform(-1, 1)\nbuffer y : float[n] out\nbuffer c : uint[1] temp\n" blocks               \
    "\nlaunch { k<<<1, 1>>>(y) }\ncheck y[" range "] exact\n"
#define REFERENCE "reference \"r.cu\" { r<<<1, 1>>>(x, ref(y), c)\nread m = c[0] }"
#define OTHER     "reference \"r.cu\" { r<<<1, 1>>>(x, ref(y), c) }\n"

static void expect_range(const char *template, const char *first, const char *last)
{
    struct fixture fixture;
    struct job *job = lower_text(&fixture, template, "space s of t\nset A = 3\n");
    const struct job_check *check = &job->cases[JOB_TUNED].checks[0];
    assert_true(check->partial);
    assert_string_equal(formula_in(check->late, FORMULA_FIRST)->text, first);
    assert_string_equal(formula_in(check->late, FORMULA_LAST)->text, last);
    assert_null(formula_in(check->late, FORMULA_AT));
    job_free(job);
    fixture_free(&fixture);
}

static void test_late_ranges(void **state)
{
    (void)state;
    expect_range(RANGE(REFERENCE, "0 : m"), "(0)", "(m)");
    expect_range(RANGE(REFERENCE, ": m + A"), "0", "(m + 3)");
    expect_range(RANGE(REFERENCE, "half :"), "((m // 2))", "64");
    expect_range(RANGE(OTHER "setup \"s.cu\" { s<<<1, 1>>>(c)\nread m = c[0] }", ": m"), "0", "(m)");
    struct fixture fixture;
    struct job *job = lower_text(&fixture, RANGE(REFERENCE, "0 : A"), "space s of t\nset A = 3\n");
    assert_null(job->cases[JOB_TUNED].checks[0].late);
    assert_int_equal(job->cases[JOB_TUNED].checks[0].count, 3);
    job_free(job);
    fixture_free(&fixture);
}

/* A configuration cannot say what is expected of it. */
static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {RANGE(OTHER, ": m"), ERROR_INPUT, "this depends on m, which has not been read here"},
        {RANGE(OTHER "prepare { read m = c[0] }", ": m"), ERROR_INPUT, "this depends on m"},
        {RANGE(OTHER "finish { read m = c[0] }", ": half"), ERROR_INPUT, "this depends on m"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_late_ranges),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
