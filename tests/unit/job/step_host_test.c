/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on the host: where they may stand, what they may take, and on which device. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/step_host.h"

#include <jansson.h>

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
    assert_int_equal(job->program.kernel_count, 1);
    assert_string_equal(job->program.kernels[0], "k");
    assert_null(job->cases[JOB_TUNED].host);
    job_free(job);
    assert_false(job_lower(fixture.problem, 1, 1, &job, &fixture.error));
    assert_string_equal(fixture.error.text, "y stays on the device; the host takes temp and scratch buffers");
    assert_string_equal(fixture.error.hint, "copy it into one, or back: copy host_y <- y");
    fixture_free(&fixture);
}

/* On another device such a kernel is one of its own, and what it takes lies in the host's memory. */
static void expect_hosted(const struct job *job)
{
    const struct job_case *tuned = &job->cases[JOB_TUNED];
    assert_int_equal(job->program.kernel_count, 2);
    assert_string_equal(job->program.kernels[tuned->launch.steps[0].kernel], HOST_KERNEL "k<3>");
    assert_string_equal(job->program.kernels[tuned->launch.steps[1].kernel], "k<3>");
    assert_int_equal(tuned->launch.steps[0].stream, 2);
    for (size_t i = 0; i < tuned->buffer_count; i++)
        assert_int_equal(job_is_hosted(tuned, i), strcmp(tuned->buffers[i].name, "h") == 0);
}

static void test_gpu(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *again, *job = lower_text(&fixture,
                                         SMALL(BUFFERS, "k<A><<<2, 1, host, stream = 2>>>(h, n)\n"
                                                        "k<A><<<1, 1, host = A == 2>>>(s, n)\nwait 0 after 2"),
                                         "space s of t\nset A = 3\n");
    assert_string_equal(fixture.device.kind, "cuda");
    expect_hosted(job);
    json_t *json = job_to_json(job);
    assert_success(job_from_json(json, &again, &fixture.error), &fixture.error);
    expect_hosted(again);
    job_free(again);
    json_t *hosts = json_object_get(json_object_get(json, "tuned"), "host");
    assert_int_equal(json_array_size(hosts), 1);
    json_array_set_new(hosts, 0, json_integer(0)); /* x, an input */
    assert_false(job_from_json(json, &again, &fixture.error));
    assert_string_equal(fixture.error.text, "damaged job: a buffer that is not the host's");
    json_array_set_new(hosts, 0, json_integer(9));
    assert_false(job_from_json(json, &again, &fixture.error));
    json_decref(json);
    job_free(job);
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
        {SMALL(BUFFERS "buffer g : float[n] temp\nbuffer f : uint[1] scratch constant(1)\n",
               "k<<<1, 1, host>>>(h)\nrepeat 3 while f { swap g, h\n k<<<1, 1>>>(f) }"),
         ERROR_INPUT, "the host takes h, which is swapped with another buffer"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cpu), cmocka_unit_test(test_gpu),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
