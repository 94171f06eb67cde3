/* SPDX-License-Identifier: Apache-2.0 */
/* Sending ahead: while one candidate is measured, the next is already in the worker's socket. */
#include "tests/unit/workers/crew_fixture.h"

/*
 * The outcomes of the first candidate, which ends once its worker has received the second, and of the second.
 * Attempts count workers lost through no fault of the candidate.
 */
static void check_outcomes(const char *kind)
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
    struct crew_fixture fixture;
    crew_fixture_create(&fixture, kind, 1, 1.0);
    for (size_t i = 0; i < COUNT; i++) {
        submit_with_image(fixture.crew, cases[i].first, 2 * i);
        submit_with_image(fixture.crew, cases[i].second, 2 * i + 1);
        finish_all(fixture.crew, finished + 2 * i, 2);
    }
    for (size_t i = 0; i < 2 * COUNT; i++) {
        const struct candidate *candidate = finished[i];
        assert_int_equal(candidate->index, i); /* in order of submission */
        if (candidate->evaluation.outcome != cases[i / 2].outcomes[i % 2] ||
            candidate->attempts != cases[i / 2].attempts[i % 2])
            fail_msg("%s, %s: %s after %u attempts", cases[i / 2].first, cases[i / 2].second,
                     outcome_name(candidate->evaluation.outcome), candidate->attempts);
    }
    free_all(finished, 2 * COUNT);
    crew_fixture_free(&fixture);
}

static void test_sending_ahead_on_a_dedicated_device(void **state)
{
    (void)state;
    check_outcomes("cuda");
}

static void test_sending_ahead_on_shared_cores(void **state)
{
    (void)state;
    check_outcomes("cpu");
}

/* The second keeps its place; the first goes to the back of the queue for its retry. */
static void test_retrying_the_first_does_not_affect_the_next(void **state)
{
    (void)state;
    static const char *const firsts[] = {"before the next: killed", "before the next: device gone",
                                         "before the next: reference broken"};
    enum { COUNT = sizeof firsts / sizeof *firsts };
    struct candidate *finished[3];
    for (size_t i = 0; i < COUNT; i++) {
        struct crew_fixture fixture;
        crew_fixture_create(&fixture, "cuda", 1, 1.0);
        submit_with_image(fixture.crew, "good", 0); /* the template works */
        submit_with_image(fixture.crew, firsts[i], 1);
        submit_with_image(fixture.crew, "good", 2);
        finish_all(fixture.crew, finished, 3);
        assert_int_equal(finished[0]->index, 0);
        assert_int_equal(finished[1]->index, 2);
        assert_int_equal(finished[1]->evaluation.outcome, OUTCOME_OK);
        assert_int_equal(finished[1]->attempts, 0);
        assert_int_equal(finished[2]->index, 1); /* with nothing behind it, it waits for ever */
        assert_int_equal(finished[2]->evaluation.outcome, OUTCOME_TIMEOUT);
        assert_int_equal(finished[2]->attempts, 1);
        free_all(finished, 3);
        crew_fixture_free(&fixture);
    }
}

/* Submit four: the first is being measured, the second is in the socket. */
static void hold_two_of_four(struct crew_fixture *fixture, char *held, size_t size)
{
    struct error error = {0};
    crew_fixture_create(fixture, "cuda", 1, 20);
    trace_path(held, size, "held", 0);
    submit_with_image(fixture->crew, "before the next: held", 0);
    for (size_t i = 1; i < 4; i++)
        submit_with_image(fixture->crew, "good", i);
    while (access(held, F_OK) != 0)
        assert_true(crew_step(fixture->crew, 5, &error));
}

/* One is being measured, one was sent ahead, two are waiting. */
static void test_the_load_counts_workers_and_waiting_candidates(void **state)
{
    (void)state;
    char held[600];
    struct candidate *finished[4];
    struct crew_fixture fixture;
    hold_two_of_four(&fixture, held, sizeof held);
    struct crew_load load = crew_load(fixture.crew);
    assert_int_equal(load.measurers, 1);
    assert_int_equal(load.measuring, 1);
    assert_true(load.compilers > 0);
    assert_int_equal(load.compiling, 0);
    assert_int_equal(load.queued, 3);
    assert_int_equal(rmdir(held), 0);
    finish_all(fixture.crew, finished, 4);
    load = crew_load(fixture.crew);
    assert_int_equal(load.measuring + load.compiling + load.queued, 0);
    free_all(finished, 4);
    crew_fixture_free(&fixture);
}

static void test_drop_waiting_keeps_the_candidate_sent_ahead(void **state)
{
    (void)state;
    char held[600];
    struct candidate *finished[2];
    struct crew_fixture fixture;
    hold_two_of_four(&fixture, held, sizeof held);
    assert_int_equal(crew_inside(fixture.crew), 4);
    crew_drop_waiting(fixture.crew);
    assert_int_equal(crew_inside(fixture.crew), 2);
    assert_int_equal(rmdir(held), 0);
    finish_all(fixture.crew, finished, 2);
    assert_int_equal(crew_inside(fixture.crew), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(finished[i]->index, i);
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
    }
    free_all(finished, 2);
    crew_fixture_free(&fixture);
}

static void test_free_with_a_candidate_sent_ahead(void **state)
{
    (void)state;
    char held[600];
    struct crew_fixture fixture;
    hold_two_of_four(&fixture, held, sizeof held);
    crew_fixture_free(&fixture);
}

static void test_free_during_a_measurement(void **state)
{
    (void)state;
    struct crew_fixture fixture;
    struct error error;
    crew_fixture_create(&fixture, "cuda", 2, 20);
    for (size_t i = 0; i < 6; i++)
        crew_submit(fixture.crew, candidate(i == 1 ? "kernel hangs" : i == 4 ? "compiler hangs" : "good", i));
    for (double limit = monotonic_seconds() + 1; monotonic_seconds() < limit;)
        assert_true(crew_step(fixture.crew, 20, &error));
    crew_fixture_free(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sending_ahead_on_a_dedicated_device),
        cmocka_unit_test(test_sending_ahead_on_shared_cores),
        cmocka_unit_test(test_retrying_the_first_does_not_affect_the_next),
        cmocka_unit_test(test_the_load_counts_workers_and_waiting_candidates),
        cmocka_unit_test(test_drop_waiting_keeps_the_candidate_sent_ahead),
        cmocka_unit_test(test_free_with_a_candidate_sent_ahead),
        cmocka_unit_test(test_free_during_a_measurement),
    };
    return crew_tests_main(count, arguments, "crew, ahead", tests, sizeof tests / sizeof *tests);
}
