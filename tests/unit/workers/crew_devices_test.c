/* SPDX-License-Identifier: Apache-2.0 */
/* Several devices in one crew: work is shared, and goes on when one is lost. */
#include "tests/unit/workers/crew_fixture.h"

static void set_two_devices(struct stage *stage, double patience)
{
    static const int ordinals[] = {0, 1};
    prepare_stage(stage, "cuda", 2, 20);
    stage->plan.ordinals = ordinals;
    stage->plan.ordinal_count = 2;
    stage->plan.patience = patience;
    open_stage(stage);
}

static void test_devices_share_the_work(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct stage stage;
    struct error error;
    size_t by[2] = {0};
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = "good";
    set_two_devices(&stage, 0);
    assert_true(let_through(stage.crew, paths, COUNT, finished, &error));
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
        for (int ordinal = 0; ordinal < 2; ordinal++)
            by[ordinal] += is(finished[i]->evaluation.uuid, device("cuda", ordinal).uuid);
    }
    assert_int_equal(by[0] + by[1], COUNT);
    assert_true(by[0] > 0 && by[1] > 0);
    assert_int_equal(stage.notices, 0);
    free_all(finished, COUNT);
    clear_stage(&stage);
}

static void test_a_candidate_is_measured_where_it_asks(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    struct candidate *finished[COUNT];
    struct stage stage;
    set_two_devices(&stage, 0);
    for (size_t i = 0; i < COUNT; i++) {
        struct candidate *given = candidate(i == 1 ? "kernel killed" : "good", i);
        given->measurer = 1;
        given->image = strdup("image");
        given->image_bytes = 5;
        crew_submit(stage.crew, given);
    }
    finish_all(stage.crew, finished, COUNT);
    for (size_t i = 0; i < COUNT; i++) /* a failure has its device, too */
        assert_string_equal(finished[i]->evaluation.uuid, "pretended-1");
    free_all(finished, COUNT);
    clear_stage(&stage);
}

/* Its candidates go to the other one, and so does what asks for it. */
static void test_a_device_lost_for_good_leaves_its_work_to_the_others(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    struct candidate *finished[COUNT];
    struct stage stage;
    set_two_devices(&stage, 0.5);
    for (size_t i = 0; i < COUNT; i++) {
        struct candidate *given = candidate(i == 0 ? "device gone for good" : "good", i);
        given->measurer = 1;
        given->image = strdup("image"); /* so that they are measured in this order */
        given->image_bytes = 5;
        crew_submit(stage.crew, given);
    }
    finish_all(stage.crew, finished, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
        assert_string_equal(finished[i]->evaluation.uuid, "pretended-0");
    }
    assert_int_equal(stage.notices, 1);
    assert_non_null(strstr(stage.notice, "no such device"));
    free_all(finished, COUNT);
    clear_stage(&stage);
}

static void test_a_device_that_differs_is_left_out(void **state)
{
    (void)state;
    struct candidate *finished[1];
    struct stage stage;
    setenv(open_mode, "second differs", 1);
    set_two_devices(&stage, 0);
    crew_submit(stage.crew, candidate("good", 0));
    finish_all(stage.crew, finished, 1);
    assert_string_equal(finished[0]->evaluation.uuid, "pretended-0");
    setenv(open_mode, "", 1);
    free_all(finished, 1);
    clear_stage(&stage);
}

static void test_a_device_that_comes_back_goes_on(void **state)
{
    (void)state;
    static const char *const paths[] = {"good", "device gone for a while", "good"};
    enum { COUNT = sizeof paths / sizeof *paths };
    struct candidate *finished[COUNT];
    struct stage stage;
    struct error error = {0};
    set_stage(&stage, "cuda", 2, 20);
    if (!let_through(stage.crew, paths, COUNT, finished, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
    assert_true(device_is_lost(0) == false); /* all openings that were to fail did */
    assert_int_equal(stage.notices, 0);
    free_all(finished, COUNT);
    clear_stage(&stage);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_devices_share_the_work),
        cmocka_unit_test(test_a_candidate_is_measured_where_it_asks),
        cmocka_unit_test(test_a_device_lost_for_good_leaves_its_work_to_the_others),
        cmocka_unit_test(test_a_device_that_differs_is_left_out),
        cmocka_unit_test(test_a_device_that_comes_back_goes_on),
    };
    return crew_tests_main(count, arguments, "crew, devices", tests, sizeof tests / sizeof *tests);
}
