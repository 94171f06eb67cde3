/* SPDX-License-Identifier: Apache-2.0 */
/* Several devices in one crew share the work and carry on when one is lost. */
#include "tests/unit/workers/crew_fixture.h"

static void set_two_devices(struct crew_fixture *fixture, double patience)
{
    static const int ordinals[] = {0, 1};
    crew_fixture_prepare(fixture, "cuda", 2, 20);
    fixture->plan.ordinals = ordinals;
    fixture->plan.ordinal_count = 2;
    fixture->plan.patience = patience;
    crew_fixture_open(fixture);
}

static void test_devices_share_the_work(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct crew_fixture fixture;
    struct error error;
    size_t by[2] = {0};
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = "good";
    set_two_devices(&fixture, 0);
    assert_true(run_through(fixture.crew, paths, COUNT, finished, &error));
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
        for (int ordinal = 0; ordinal < 2; ordinal++)
            by[ordinal] += is(finished[i]->evaluation.uuid, device("cuda", ordinal).uuid);
    }
    assert_int_equal(by[0] + by[1], COUNT);
    assert_true(by[0] > 0 && by[1] > 0);
    assert_int_equal(fixture.notices, 0);
    free_all(finished, COUNT);
    crew_fixture_free(&fixture);
}

static void test_a_candidate_is_measured_on_the_device_it_requests(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    struct candidate *finished[COUNT];
    struct crew_fixture fixture;
    set_two_devices(&fixture, 0);
    for (size_t i = 0; i < COUNT; i++) {
        struct candidate *given = candidate(i == 1 ? "kernel killed" : "good", i);
        given->measurer = 1;
        given->image = strdup("image");
        given->image_bytes = 5;
        crew_submit(fixture.crew, given);
    }
    finish_all(fixture.crew, finished, COUNT);
    for (size_t i = 0; i < COUNT; i++) /* failures record their device too */
        assert_string_equal(finished[i]->evaluation.uuid, "fake-1");
    free_all(finished, COUNT);
    crew_fixture_free(&fixture);
}

/* Its candidates go to the other device, even those that requested the lost one. */
static void test_a_permanently_lost_devices_work_moves_to_the_others(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    struct candidate *finished[COUNT];
    struct crew_fixture fixture;
    set_two_devices(&fixture, 0.5);
    for (size_t i = 0; i < COUNT; i++) {
        struct candidate *given = candidate(i == 0 ? "device gone for good" : "good", i);
        given->measurer = 1;
        given->image = strdup("image"); /* skips compilation, to fix the order of measurement */
        given->image_bytes = 5;
        crew_submit(fixture.crew, given);
    }
    finish_all(fixture.crew, finished, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
        assert_string_equal(finished[i]->evaluation.uuid, "fake-0");
    }
    assert_int_equal(fixture.notices, 1);
    assert_non_null(strstr(fixture.notice, "no such device"));
    free_all(finished, COUNT);
    crew_fixture_free(&fixture);
}

static void test_a_device_that_differs_is_excluded(void **state)
{
    (void)state;
    struct candidate *finished[1];
    struct crew_fixture fixture;
    setenv(open_mode, "second differs", 1);
    set_two_devices(&fixture, 0);
    crew_submit(fixture.crew, candidate("good", 0));
    finish_all(fixture.crew, finished, 1);
    assert_string_equal(finished[0]->evaluation.uuid, "fake-0");
    setenv(open_mode, "", 1);
    free_all(finished, 1);
    crew_fixture_free(&fixture);
}

static void test_a_device_that_comes_back_resumes(void **state)
{
    (void)state;
    static const char *const paths[] = {"good", "device gone for a while", "good"};
    enum { COUNT = sizeof paths / sizeof *paths };
    struct candidate *finished[COUNT];
    struct crew_fixture fixture;
    struct error error = {0};
    crew_fixture_create(&fixture, "cuda", 2, 20);
    if (!run_through(fixture.crew, paths, COUNT, finished, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
    assert_true(device_is_lost(0) == false); /* every opening that should fail has failed */
    assert_int_equal(fixture.notices, 0);
    free_all(finished, COUNT);
    crew_fixture_free(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_share_the_work),
        cmocka_unit_test(test_a_candidate_is_measured_on_the_device_it_requests),
        cmocka_unit_test(test_a_permanently_lost_devices_work_moves_to_the_others),
        cmocka_unit_test(test_a_device_that_differs_is_excluded),
        cmocka_unit_test(test_a_device_that_comes_back_resumes),
    };
    return crew_tests_main(count, arguments, "crew, devices", tests, sizeof tests / sizeof *tests);
}
