/* SPDX-License-Identifier: Apache-2.0 */
/* A crew takes turns with other processes that measure on its device. */
#include "tests/unit/workers/crew_fixture.h"

/* Waiting counts neither towards the deadline nor towards the evaluation's time. */
static void test_nothing_is_measured_while_another_process_holds_the_device(void **state)
{
    (void)state;
    struct candidate *finished[1];
    struct crew_fixture fixture;
    crew_fixture_create(&fixture, "cuda", 1, 1);
    struct device_lock *lock = lock_of(&fixture);
    assert_true(device_lock_attempt(lock));
    crew_submit(fixture.crew, candidate("kernel killed", 0));
    assert_true(crew_seconds_held_up(fixture.crew) == 0);
    work_for(&fixture, 1.5);
    assert_true(crew_seconds_held_up(fixture.crew) > 0);
    assert_int_equal(crew_inside(fixture.crew), 1);
    assert_null(crew_finished(fixture.crew));
    device_lock_release(lock);
    finish_all(fixture.crew, finished, 1);
    double held_up = crew_seconds_held_up(fixture.crew);
    work_for(&fixture, 0.05);
    assert_true(crew_seconds_held_up(fixture.crew) == held_up); /* no longer */
    assert_int_equal(finished[0]->evaluation.outcome, OUTCOME_CRASH);
    assert_true(finished[0]->evaluation.measure_seconds < 1.5);
    free_all(finished, 1);
    assert_true(device_lock_attempt(lock)); /* the dead worker's lock has been released */
    device_lock_free(lock);
    crew_fixture_free(&fixture);
}

static size_t step_and_take(struct crew *crew, struct candidate **finished)
{
    struct error error = {0};
    size_t count = 0;
    if (!crew_step(crew, 5, &error))
        fail_msg("%s", error.text);
    for (struct candidate *next; (next = crew_finished(crew));)
        finished[count++] = next;
    return count;
}

/* A waiting process gets the device once the worker's current candidates are measured: two at most. */
static void test_a_waiting_process_gets_the_device_next(void **state)
{
    (void)state;
    enum { COUNT = 40, ROUNDS = 5 };
    struct candidate *finished[COUNT];
    struct crew_fixture fixture;
    size_t out = 0;
    crew_fixture_create(&fixture, "cuda", 1, 20);
    for (size_t i = 0; i < COUNT; i++)
        submit_with_image(fixture.crew, "good", i);
    while (out == 0)
        out += step_and_take(fixture.crew, finished);
    struct device_lock *lock = lock_of(&fixture);
    for (int round = 0; round < ROUNDS; round++) {
        size_t before = out;
        while (!device_lock_attempt(lock))
            out += step_and_take(fixture.crew, finished + out);
        assert_in_range(out - before, 0, 2);
        work_for(&fixture, 0.05);
        assert_null(crew_finished(fixture.crew));
        device_lock_release(lock);
        for (before = out; out == before;) /* now it is the crew's turn */
            out += step_and_take(fixture.crew, finished + out);
    }
    device_lock_free(lock);
    finish_all(fixture.crew, finished + out, COUNT - out);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(finished[i]->index, i);
    free_all(finished, COUNT);
    crew_fixture_free(&fixture);
}

/* Anyone can hold it for ever: the user is told who does, and the work goes on. */
static void test_no_one_is_waited_for_without_end(void **state)
{
    (void)state;
    struct candidate *finished[2];
    struct crew_fixture fixture;
    char own[32];
    crew_fixture_prepare(&fixture, "cuda", 1, 20);
    fixture.plan.lock_patience = 0.5;
    crew_fixture_open(&fixture);
    struct device_lock *lock = lock_of(&fixture);
    assert_true(device_lock_attempt(lock));
    for (size_t i = 0; i < 2; i++)
        submit_with_image(fixture.crew, "good", i);
    finish_all(fixture.crew, finished, 2);
    assert_int_equal(finished[0]->evaluation.outcome, OUTCOME_OK);
    assert_int_equal(fixture.notices, 1);
    snprintf(own, sizeof own, "process %d (", (int)getpid());
    assert_non_null(strstr(fixture.notice, own));
    assert_non_null(strstr(fixture.notice, "measuring without it"));
    free_all(finished, 2);
    device_lock_free(lock);
    crew_fixture_free(&fixture);
}

static bool gate_is_taken(const struct crew_fixture *fixture)
{
    char path[600];
    snprintf(path, sizeof path, "%s/fake-0.gate", fixture->locks);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    bool taken = flock(file, LOCK_EX | LOCK_NB) != 0;
    close(file);
    return taken;
}

static void test_dropping_candidates_leaves_the_device_queue(void **state)
{
    (void)state;
    struct crew_fixture fixture;
    crew_fixture_create(&fixture, "cuda", 1, 20);
    struct device_lock *lock = lock_of(&fixture);
    assert_true(device_lock_attempt(lock));
    crew_submit(fixture.crew, candidate("good", 0));
    while (!gate_is_taken(&fixture))
        work_for(&fixture, 0.05);
    crew_drop_waiting(fixture.crew);
    assert_int_equal(crew_inside(fixture.crew), 0);
    assert_false(gate_is_taken(&fixture));
    device_lock_free(lock);
    crew_fixture_free(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_measured_while_another_process_holds_the_device),
        cmocka_unit_test(test_a_waiting_process_gets_the_device_next),
        cmocka_unit_test(test_no_one_is_waited_for_without_end),
        cmocka_unit_test(test_dropping_candidates_leaves_the_device_queue),
    };
    return crew_tests_main(count, arguments, "crew, lock", tests, sizeof tests / sizeof *tests);
}
