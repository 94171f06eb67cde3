/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and waits as steps, and as JSON and back. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/step_stream.h"

#include <jansson.h>

static void expect_steps(const struct job *job)
{
    const struct job_steps *launch = &job->cases[JOB_TUNED].launch;
    static const struct {
        enum job_step_kind kind;
        unsigned stream, awaited;
    } expected[] = {
        {STEP_LAUNCH, 15, 0}, {STEP_FILL, 1, 0}, {STEP_COPY, 2, 0}, {STEP_WAIT, 0, 15}, {STEP_LAUNCH, 0, 0},
    };
    assert_int_equal(launch->count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < launch->count; i++) {
        assert_int_equal(launch->steps[i].kind, expected[i].kind);
        assert_int_equal(launch->steps[i].stream, expected[i].stream);
        assert_int_equal(launch->steps[i].awaited, expected[i].awaited);
    }
}

static void test_steps(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture,
                                 SMALL("", "k<<<1, 1, stream = A + 12>>>(y)\n fill y = 0, stream = 1\n"
                                           "copy y[1] <- x[0 : 2], stream = 2\n wait 0 after 15\n k<<<1, 1>>>(y)"),
                                 "space s of t\nset A = 3\n");
    expect_steps(job);
    json_t *json = job_to_json(job);
    struct job *again, *damaged;
    assert_success(job_from_json(json, &again, &fixture.error), &fixture.error);
    expect_steps(again);
    json_t *steps = json_object_get(json_object_get(json, "tuned"), "launch");
    assert_int_equal(json_array_size(json_array_get(steps, 4)), 7); /* without attributes as before there were any */
    json_t *attributes = json_array_get(json_array_get(steps, 0), 7);
    json_object_set_new(attributes, "stream", json_integer(DEVICE_STREAMS));
    assert_false(job_from_json(json, &damaged, &fixture.error));
    json_decref(json);
    job_free(again);
    job_free(job);
    fixture_free(&fixture);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {SMALL("", "k<<<1, 1, stream = 16>>>(y)"), ERROR_INPUT, "there is no stream 16"},
        {SMALL("", "k<<<1, 1, stream = 0 - A>>>(y)"), ERROR_INPUT, "there is no stream -9"},
        {SMALL("", "k<<<1, 1>>>(y)\n wait 1 after 99"), ERROR_INPUT, "there is no stream 99"},
        {SMALL("", "k<<<1, 1>>>(y)\n wait 1 after A - 8"), ERROR_INPUT, "stream 1 waits for itself"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
