/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on the host: where they may stand, what they may take, and on which device. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/step_host.h"

#define BUFFERS "buffer h : float[n] temp\nbuffer s : uint[4] scratch constant(1)\n"

/* The CPU device is the host. */
static void test_cpu(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job;
    fixture_parse(&fixture,
                  SMALL(BUFFERS, "copy h <- x, stream = 1\n k<<<2, 1, host, stream = 1>>>(h + 3, s, n)\n"
                                 "k<<<1, 1, host = A == 2>>>(y)\n wait 0 after 1\n copy y <- h"),
                  "space s of t\nparam A = [1, 2]\n");
    snprintf(fixture.device.kind, sizeof fixture.device.kind, "cpu");
    assert_success(fixture_try(&fixture), &fixture.error);
    job = lower(&fixture, 0);
    assert_int_equal(job->cases[JOB_TUNED].launch.count, 5);
    job_free(job);
    assert_false(job_lower(fixture.problem, 1, 1, &job, &fixture.error));
    assert_string_equal(fixture.error.text, "y stays on the device; the host takes temp and scratch buffers");
    assert_string_equal(fixture.error.hint, "copy it into one, or back: copy host_y <- y");
    fixture_free(&fixture);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {SMALL("", "k<<<1, 1, host>>>(x)"), ERROR_INPUT, "x stays on the device"},
        {SMALL("struct p {\na : float*\n}\n", "k<<<1, 1, host>>>(p(y + 1))"), ERROR_INPUT, "y stays on the device"},
        {SMALL(BUFFERS, "k<<<1, 1, host>>>(h, texture(x, n))"), ERROR_INPUT,
         "textures and surfaces stay on the device"},
        {SMALL("", "k<<<1, 1>>>(y)") "setup \"s.cu\" { k<<<1, 1, host>>>() }\n", ERROR_INPUT,
         "kernel k cannot run on the host here"},
        {SMALL(BUFFERS, "k<<<1, 1, host>>>(h)"), ERROR_RESOURCES,
         "kernel k runs on the host, which only the CPU device has launches for"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cpu), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
