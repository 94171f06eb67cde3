/* SPDX-License-Identifier: Apache-2.0 */
/* One candidate behind the other: while one is measured the next is already in its worker's socket. */
#include "tests/unit/workers/crew_fixture.h"

/*
 * What becomes of the first, of which the worker has seen that the second is there, and of the second. Attempts are
 * workers lost over a candidate through no fault of its own.
 */
static void one_behind_the_other(const char *kind)
{
    static const struct {
        const char *first, *second;
        enum outcome outcomes[2];
        unsigned attempts[2];
    } cases[] = {
        {"before the next: answers", "good", {OUTCOME_OK, OUTCOME_OK}, {0, 0}},
        {"before the next: segfaults", "good", {OUTCOME_FAULT, OUTCOME_OK}, {0, 0}},
        {"before the next: faults", "good", {OUTCOME_FAULT, OUTCOME_OK}, {0, 0}},
        {"before the next: hangs", "good", {OUTCOME_TIMEOUT, OUTCOME_OK}, {0, 0}},
        {"before the next: faults", "kernel faults", {OUTCOME_FAULT, OUTCOME_FAULT}, {0, 0}},
        {"before the next: answers", "kernel segfaults", {OUTCOME_OK, OUTCOME_FAULT}, {0, 0}},
        {"before the next: answers", "kernel exits", {OUTCOME_OK, OUTCOME_CRASH}, {0, 0}},
        {"before the next: answers", "kernel killed", {OUTCOME_OK, OUTCOME_CRASH}, {0, 2}},
        {"before the next: answers", "kernel hangs", {OUTCOME_OK, OUTCOME_TIMEOUT}, {0, 0}},
        {"before the next: answers", "kernel faults", {OUTCOME_OK, OUTCOME_FAULT}, {0, 0}},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    struct candidate *finished[2 * COUNT];
    struct stage stage;
    set_stage(&stage, kind, 1, 1.0);
    for (size_t i = 0; i < COUNT; i++) {
        submit_with_image(stage.crew, cases[i].first, 2 * i);
        submit_with_image(stage.crew, cases[i].second, 2 * i + 1);
        finish_all(stage.crew, finished + 2 * i, 2);
    }
    for (size_t i = 0; i < 2 * COUNT; i++) {
        const struct candidate *candidate = finished[i];
        assert_int_equal(candidate->index, i); /* each is finished before the one that is handed in later */
        if (candidate->evaluation.outcome != cases[i / 2].outcomes[i % 2] ||
            candidate->attempts != cases[i / 2].attempts[i % 2])
            fail_msg("%s, %s: %s after %u attempts", cases[i / 2].first, cases[i / 2].second,
                     outcome_name(candidate->evaluation.outcome), candidate->attempts);
    }
    free_all(finished, 2 * COUNT);
    clear_stage(&stage);
}

static void test_one_behind_the_other_on_a_device_of_its_own(void **state)
{
    (void)state;
    one_behind_the_other("cuda");
}

static void test_one_behind_the_other_on_shared_cores(void **state)
{
    (void)state;
    one_behind_the_other("cpu");
}

/* The second keeps its place before the first, which goes to the end for its second chance. */
static void test_the_next_is_unharmed_when_the_first_is_tried_again(void **state)
{
    (void)state;
    static const char *const firsts[] = {"before the next: killed", "before the next: device gone",
                                         "before the next: reference broken"};
    enum { COUNT = sizeof firsts / sizeof *firsts };
    struct candidate *finished[3];
    for (size_t i = 0; i < COUNT; i++) {
        struct stage stage;
        set_stage(&stage, "cuda", 1, 1.0);
        submit_with_image(stage.crew, "good", 0); /* the template works */
        submit_with_image(stage.crew, firsts[i], 1);
        submit_with_image(stage.crew, "good", 2);
        finish_all(stage.crew, finished, 3);
        assert_int_equal(finished[0]->index, 0);
        assert_int_equal(finished[1]->index, 2);
        assert_int_equal(finished[1]->evaluation.outcome, OUTCOME_OK);
        assert_int_equal(finished[1]->attempts, 0);
        assert_int_equal(finished[2]->index, 1); /* alone now: it waits for a next one that never comes */
        assert_int_equal(finished[2]->evaluation.outcome, OUTCOME_TIMEOUT);
        assert_int_equal(finished[2]->attempts, 1);
        free_all(finished, 3);
        clear_stage(&stage);
    }
}

/* Four of them, of which the first is being measured and the second is in the socket. */
static void hold_two_of_four(struct stage *stage, char *held, size_t size)
{
    struct error error = {0};
    set_stage(stage, "cuda", 1, 20);
    trace_path(held, size, "held", 0);
    submit_with_image(stage->crew, "before the next: held", 0);
    for (size_t i = 1; i < 4; i++)
        submit_with_image(stage->crew, "good", i);
    while (access(held, F_OK) != 0)
        assert_true(crew_step(stage->crew, 0, 5, &error));
}

/* One is being measured, one was sent ahead and two wait. */
static void test_the_load_counts_workers_and_what_waits(void **state)
{
    (void)state;
    char held[600];
    struct candidate *finished[4];
    struct stage stage;
    hold_two_of_four(&stage, held, sizeof held);
    struct crew_load load = crew_load(stage.crew);
    assert_int_equal(load.measurers, 1);
    assert_int_equal(load.measuring, 1);
    assert_true(load.compilers > 0);
    assert_int_equal(load.compiling, 0);
    assert_int_equal(load.queued, 3);
    assert_int_equal(rmdir(held), 0);
    finish_all(stage.crew, finished, 4);
    load = crew_load(stage.crew);
    assert_int_equal(load.measuring + load.compiling + load.queued, 0);
    free_all(finished, 4);
    clear_stage(&stage);
}

static void test_drop_waiting_leaves_the_one_behind(void **state)
{
    (void)state;
    char held[600];
    struct candidate *finished[2];
    struct stage stage;
    hold_two_of_four(&stage, held, sizeof held);
    assert_int_equal(crew_inside(stage.crew), 4);
    crew_drop_waiting(stage.crew);
    assert_int_equal(crew_inside(stage.crew), 2);
    assert_int_equal(rmdir(held), 0);
    finish_all(stage.crew, finished, 2);
    assert_int_equal(crew_inside(stage.crew), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(finished[i]->index, i);
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
    }
    free_all(finished, 2);
    clear_stage(&stage);
}

static void test_freed_with_one_behind_the_other(void **state)
{
    (void)state;
    char held[600];
    struct stage stage;
    hold_two_of_four(&stage, held, sizeof held);
    clear_stage(&stage);
}

static void test_freed_in_the_middle(void **state)
{
    (void)state;
    struct stage stage;
    struct error error;
    set_stage(&stage, "cuda", 2, 20);
    for (size_t i = 0; i < 6; i++)
        crew_submit(stage.crew, candidate(i == 1 ? "kernel hangs" : i == 4 ? "compiler hangs" : "good", i));
    for (double limit = monotonic_seconds() + 1; monotonic_seconds() < limit;)
        assert_true(crew_step(stage.crew, 0, 20, &error));
    clear_stage(&stage);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_behind_the_other_on_a_device_of_its_own),
        cmocka_unit_test(test_one_behind_the_other_on_shared_cores),
        cmocka_unit_test(test_the_next_is_unharmed_when_the_first_is_tried_again),
        cmocka_unit_test(test_the_load_counts_workers_and_what_waits),
        cmocka_unit_test(test_drop_waiting_leaves_the_one_behind),
        cmocka_unit_test(test_freed_with_one_behind_the_other),
        cmocka_unit_test(test_freed_in_the_middle),
    };
    return crew_tests_main(count, arguments, "crew, ahead", tests, sizeof tests / sizeof *tests);
}
