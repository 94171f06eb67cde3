/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow: loops, branches and lets unrolled, swaps applied, and the limit on steps. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/steps.h"

#include <stdio.h>

/* The loop's arithmetic in C. */
static void test_loops_and_branches(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(
        &fixture,
        SMALL("",
              "for i in range(0, A) {\n let square = i * i\n for j in [i, 10] {\n"
              "if j % 2 == 0 { k<<<1, 1>>>(y, square, j) } else { if i > 3 { l<<<1, 1>>>(y, square, j) } }\n}\n}"),
        "space s of t\nset A = 6\n");
    const struct job_steps *launch = &job->cases[JOB_TUNED].launch;
    size_t at = 0;
    for (int32_t i = 0; i < 6; i++) {
        const int32_t values[] = {i, 10};
        for (size_t k = 0; k < 2; k++) {
            int32_t arguments[2];
            const char *kernel = values[k] % 2 == 0 ? "k" : i > 3 ? "l" : NULL;
            if (!kernel)
                continue;
            assert_true(at < launch->count);
            const struct job_step *step = &launch->steps[at++];
            assert_string_equal(job->program.kernels[step->kernel], kernel);
            memcpy(&arguments[0], step->arguments[1].bytes, sizeof arguments[0]);
            memcpy(&arguments[1], step->arguments[2].bytes, sizeof arguments[1]);
            assert_int_equal(arguments[0], i * i);
            assert_int_equal(arguments[1], values[k]);
        }
    }
    assert_int_equal(at, launch->count);
    job_free(job);
    fixture_free(&fixture);
}

/* y and z take turns: after an odd number of rounds z holds the result; the check, the reference and the blocks after
 * the launches follow. */
static void test_swaps(void **state)
{
    (void)state;
    for (size_t rounds = 0; rounds < 5; rounds++) {
        char space[64];
        struct fixture fixture;
        snprintf(space, sizeof space, "space s of t\nset A = %zu\n", rounds);
        fixture_create(&fixture,
                       SMALL("buffer z : float[n] temp\n",
                             "k<<<1, 1>>>(x, y)\n for i in range(0, A) { step<<<1, 1>>>(y, z)\n "
                             "swap y, z }") "finish { f<<<1, 1>>>(z, y)\n swap y, z\n swap y, z "
                                            "}\nverify \"v.cu\" { v<<<1, 1>>>(y) }\n",
                       space);
        struct job *job = lower(&fixture, 0);
        const struct job_case *tuned = &job->cases[JOB_TUNED];
        size_t result = rounds % 2 ? 2 : 1, other = rounds % 2 ? 1 : 2;
        assert_int_equal(tuned->launch.count, rounds + 1);
        for (size_t i = 1; i <= rounds; i++) {
            assert_int_equal(tuned->launch.steps[i].arguments[0].buffer, i % 2 ? 1 : 2);
            assert_int_equal(tuned->launch.steps[i].arguments[1].buffer, i % 2 ? 2 : 1);
        }
        assert_int_equal(tuned->checks[0].buffer, result);
        assert_string_equal(job_check_name(tuned, &tuned->checks[0]), "y");
        assert_int_equal(tuned->buffers[result].role, BUFFER_OUT);
        assert_int_equal(tuned->buffers[other].role, BUFFER_TEMP);
        assert_int_equal(tuned->reference.steps[0].arguments[1].buffer, result);
        assert_int_equal(tuned->finish.steps[0].arguments[0].buffer, other);
        assert_int_equal(tuned->finish.steps[0].arguments[1].buffer, result);
        assert_string_equal(job->program.kernels[tuned->finish.steps[0].kernel], "f");
        assert_int_equal(tuned->verify.steps[0].arguments[0].buffer, result);
        assert_string_equal(job->verify.path, "folder/v.cu");
        assert_string_equal(job->verify.kernels[0], "v");
        job_free(job);
        fixture_free(&fixture);
    }
}

static void test_repeat(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture,
                   SMALL("buffer f : int[1] temp\nbuffer z : float[n] temp\n",
                         "fill f = 1\n repeat 2 * n while f { k<<<1, 1>>>(y, z)\n swap y, z\n l<<<1, 1>>>(y, z, f)\n"
                         "swap z, y }"),
                   "space s of t\nset A = 1\n");
    struct job *job = lower(&fixture, 0);
    const struct job_steps *launch = &job->cases[JOB_TUNED].launch;
    assert_int_equal(launch->count, 2);
    assert_int_equal(launch->steps[1].kind, STEP_REPEAT);
    assert_int_equal(launch->steps[1].target, 2);
    assert_int_equal(launch->steps[1].rounds, 128);
    assert_int_equal(launch->steps[1].body_count, 2);
    assert_int_equal(launch->steps[1].body[1].arguments[0].buffer, 3);
    assert_int_equal(job->cases[JOB_TUNED].checks[0].buffer, 1);
    job_free(job);
    fixture_free(&fixture);
}

/* A loop with a body of one launch spends two statements a round, and itself one. */
static void test_limit(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = NULL;
    fixture_create(&fixture, SMALL("", "for i in range(0, A) { k<<<1, 1>>>(y) }"),
                   "space s of t\nparam A = [499999, 500000]\n");
    assert_int_equal(STEPS_LIMIT, 1000000);
    assert_success(job_lower(fixture.problem, 0, 1, &job, &fixture.error), &fixture.error);
    assert_int_equal(job->cases[JOB_TUNED].launch.count, 499999);
    job_free(job);
    assert_false(job_lower(fixture.problem, 1, 1, &job, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_INPUT);
    assert_mentions(fixture.error.text, "more than 1000000 steps");
    assert_mentions(fixture.error.hint, "unrolled");
    fixture_free(&fixture);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {SMALL("", "k<<<1, 1>>>(y)\n swap x, y"), ERROR_INPUT, "x is an input"},
        {SMALL("buffer z : float[n + 1] temp\n", "k<<<1, 1>>>(y, z)\n swap y, z"), ERROR_INPUT,
         "y and z differ in size and cannot be swapped: 64 and 65 elements"},
        {SMALL("", "for i in range(0, 1001) { for j in range(0, 1000) { k<<<1, 1>>>(y) } }"), ERROR_INPUT,
         "more than 1000000 steps"},
        {SMALL("buffer f : int[1] temp\n", "k<<<1, 1>>>(y, f)\n repeat 0 - 4 while f { k<<<1, 1>>>(y) }"),
         ERROR_INPUT, "the repeat count is negative (-4)"},
        {SMALL("buffer f : int[n - 64] temp\n", "k<<<1, 1>>>(y, f)\n repeat 4 while f { k<<<1, 1>>>(y) }"),
         ERROR_INPUT, "buffer f is empty"},
        {SMALL("buffer z : float[n] temp\nprepare { p<<<1, 1>>>(y, z)\n swap y, z }\n", "k<<<1, 1>>>(y, z)"),
         ERROR_INPUT, "the sequence leaves buffer y swapped with z"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops_and_branches),
        cmocka_unit_test(test_swaps),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
