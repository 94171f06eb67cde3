/* SPDX-License-Identifier: Apache-2.0 */
/* Reads with their bounds, and buffers that are allocated once their extents are known. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/step_read.h"

static void test_read(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job =
        lower_text(&fixture, COUNTED("", "launch { k<<<1, 1>>>(c)\nread m = c[A]\nread w = c[m]\nk<<<1, 1>>>(y) }"),
                   "space s of t\nset A = 3\n");
    const struct job_step *steps = job->cases[JOB_TUNED].launch.steps;
    assert_int_equal(steps[1].kind, STEP_READ);
    assert_int_equal(steps[1].target, 2);
    assert_int_equal(steps[1].first, 3);
    assert_int_equal(steps[1].count, 50);
    assert_string_equal(steps[1].late->name, "m");
    assert_int_equal(steps[1].late->slot, 0);
    assert_int_equal(steps[1].late->place.line, 11);
    assert_string_equal(steps[1].late->place.excerpt, "read m = c[A]");
    assert_int_equal(steps[2].count, 8);
    assert_int_equal(steps[2].late->slot, 1);
    assert_string_equal(formula_text(&steps[2], FORMULA_FIRST), "(m)");
    job_free(job);
    fixture_free(&fixture);
}

#define LATE  "buffer e : float[n, m] temp\nbuffer f : int[m + w] scratch constant(1)\n"
#define USED  "launch { k<<<1, 1>>>(e + 3, f)\ncopy y <- e[0 : w]\ncopy y[3] <- e\nk<<<1, 1>>>(y) }"
#define READS "k<<<1, 1>>>(c)\nread m = c[0]\nread w = c[1]"

static void test_extents(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job =
        lower_text(&fixture, COUNTED(LATE, "prepare { " READS " }\n" USED), "space s of t\nset A = 3\n");
    const struct job_case *tuned = &job->cases[JOB_TUNED];
    const struct job_step *prepare = tuned->prepare.steps, *launch = tuned->launch.steps;
    assert_true(job_is_late(tuned, 3) && job_is_late(tuned, 4) && !job_is_late(tuned, 2));
    assert_int_equal(tuned->buffers[3].extent, 0);
    assert_int_equal(tuned->prepare.count, 5);
    assert_int_equal(prepare[2].kind, STEP_ALLOCATE); /* as soon as it is known */
    assert_int_equal(prepare[2].target, 3);
    assert_string_equal(formula_text(&prepare[2], FORMULA_VALUE), "(64) * (m)");
    assert_int_equal(prepare[3].kind, STEP_READ);
    assert_int_equal(prepare[4].target, 4);
    assert_string_equal(formula_text(&prepare[4], FORMULA_VALUE), "(m + w)");
    assert_string_equal(formula_text(&launch[0], FORMULA_OFFSET), "(3)");
    assert_string_equal(formula_text(&launch[1], FORMULA_FIRST), "(0)");
    assert_string_equal(formula_text(&launch[1], FORMULA_LAST), "(w)");
    assert_string_equal(formula_text(&launch[1], FORMULA_AT), "0");
    assert_string_equal(formula_text(&launch[2], FORMULA_LAST), "(64) * (m)");
    assert_string_equal(formula_text(&launch[2], FORMULA_AT), "(3)");
    job_free(job);
    fixture_free(&fixture);

    job = lower_text(&fixture, COUNTED(LATE, "setup \"s.cu\" { " READS " }\n" USED), "space s of t\nset A = 3\n");
    assert_int_equal(job->cases[JOB_TUNED].prepare.count, 2); /* there is no other prepare block */
    assert_int_equal(job->cases[JOB_TUNED].prepare.steps[1].kind, STEP_ALLOCATE);
    assert_int_equal(job->cases[JOB_TUNED].setup.count, 3);
    job_free(job);
    fixture_free(&fixture);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {COUNTED("", "launch { k<<<1, 1>>>(y)\nread m = c[4] }"), ERROR_INPUT, "c has no element 4; its extent is 4"},
        {COUNTED("", "launch { k<<<1, 1>>>(y)\nread m = c[0 - A] }"), ERROR_INPUT, "c has no element -9"},
        {COUNTED("count z at most A - 10\n", "launch { k<<<1, 1>>>(y)\nread z = c[0] }"), ERROR_INPUT,
         "the bound of z is negative (-1)"},
        {COUNTED(LATE, USED), ERROR_INPUT, "the extent of e depends on counts and is not known here"},
        {COUNTED(LATE, "prepare { k<<<1, 1>>>(c)\nread w = c[1] }\n" USED), ERROR_INPUT, "the extent of e depends"},
        {COUNTED(LATE, "prepare { k<<<1, 1>>>(e)\n" READS " }\n" USED), ERROR_INPUT, "the extent of e depends"},
        {COUNTED(LATE, "setup \"s.cu\" { " READS "\nk<<<1, 1>>>(e) }\n" USED), ERROR_INPUT,
         "the extent of e depends"},
        {COUNTED(LATE, "launch { " READS " }"), ERROR_INPUT,
         "the extent of e depends on m, so it can be read in setup and prepare only"},
        {COUNTED(LATE, "prepare { " READS "\nread m = c[3] }\n" USED), ERROR_INPUT, "it cannot be read twice"},
        {COUNTED(LATE, "prepare { repeat 3 while c { " READS " } }\n" USED), ERROR_INPUT,
         "it cannot be read in a loop or under a condition"},
        {COUNTED(LATE "buffer g : float[m, n] temp\n", "prepare { " READS "\nswap e, g }\n" USED), ERROR_INPUT,
         "buffers e and g cannot be swapped: their extents depend on counts in different ways"},
        {COUNTED(LATE, "prepare { " READS " }\nlaunch { k<<<1, 1>>>(texture(e)) }"), ERROR_INPUT,
         "a buffer whose extent depends on counts cannot be a texture"},
        {COUNTED("let wide = m + 1\nbuffer g : float[wide] in constant(0)\n",
                 "prepare { " READS " }\nlaunch { k<<<1, 1>>>(g) }"),
         ERROR_INPUT, "only that of a temp or scratch buffer may"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_extents),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
