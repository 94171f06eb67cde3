/* SPDX-License-Identifier: Apache-2.0 */
/* Template arguments by value, and which names they give. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/step_kernel.h"

static void test_names(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture,
                                 SMALL("let type = \"double\"\n",
                                       "for i in range(1, 3) { ns::k<i * A, float><<<1, 1>>>(y) }\n"
                                       "k<type, 2 ** 40, -3, true><<<1, 1>>>(y)\n ns::k<18, \"float\"><<<1, 1>>>(y)\n"
                                       "k<><<<1, 1>>>(y)\n k<<<1, 1>>>(y)"),
                                 "space s of t\nset A = 9\n");
    static const char *const names[] = {"ns::k<9, float>", "ns::k<18, float>", "k<double, 1099511627776LL, -3, true>",
                                        "k<>", "k"};
    static const size_t kernels[] = {0, 1, 2, 1, 3, 4};
    assert_int_equal(job->program.kernel_count, sizeof names / sizeof *names);
    for (size_t i = 0; i < job->program.kernel_count; i++)
        assert_string_equal(job->program.kernels[i], names[i]);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        assert_int_equal(job->cases[JOB_TUNED].launch.steps[i].kernel, kernels[i]);
    job_free(job);
    fixture_free(&fixture);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {SMALL("", "k<A / 2><<<1, 1>>>(y)"), ERROR_INPUT, "a template argument cannot be the float 4.5"},
        {SMALL("let t = \"a; b\"\n", "k<t><<<1, 1>>>(y)"), ERROR_INPUT, "\"a; b\" is no template argument"},
        {SMALL("", "k<1 // (A - 9)><<<1, 1>>>(y)"), ERROR_INPUT, "division by zero"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
