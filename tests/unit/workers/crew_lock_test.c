/* SPDX-License-Identifier: Apache-2.0 */
/* The crew and other processes that measure on its device: they take turns. */
#include "tests/unit/workers/crew_fixture.h"

/* Waiting counts neither for the deadline nor as time of the evaluation. */
static void test_nothing_is_measured_while_another_has_the_device(void **state)
{
    (void)state;
    struct candidate *finished[1];
    struct stage stage;
    set_stage(&stage, "cuda", 1, 1);
    struct device_lock *lock = lock_of(&stage);
    assert_true(device_lock_attempt(lock));
    crew_submit(stage.crew, candidate("kernel killed", 0));
    work_for(&stage, 1.5);
    assert_int_equal(crew_inside(stage.crew), 1);
    assert_null(crew_finished(stage.crew));
    device_lock_release(lock);
    finish_all(stage.crew, finished, 1);
    assert_int_equal(finished[0]->evaluation.outcome, OUTCOME_CRASH);
    assert_true(finished[0]->evaluation.measure_seconds < 1.5);
    free_all(finished, 1);
    assert_true(device_lock_attempt(lock)); /* the dead worker's is free again */
    device_lock_free(lock);
    clear_stage(&stage);
}

static size_t step_and_take(struct crew *crew, struct candidate **finished)
{
    struct error error = {0};
    size_t count = 0;
    if (!crew_step(crew, 0, 5, &error))
        fail_msg("%s", error.text);
    for (struct candidate *next; (next = crew_finished(crew));)
        finished[count++] = next;
    return count;
}

/* Who waits for the device gets it when the candidates in the worker's hands are measured: two at most. */
static void test_one_who_waits_for_the_device_is_next(void **state)
{
    (void)state;
    enum { COUNT = 40, ROUNDS = 5 };
    struct candidate *finished[COUNT];
    struct stage stage;
    size_t out = 0;
    set_stage(&stage, "cuda", 1, 20);
    for (size_t i = 0; i < COUNT; i++)
        submit_with_image(stage.crew, "good", i);
    while (out == 0)
        out += step_and_take(stage.crew, finished);
    struct device_lock *lock = lock_of(&stage);
    for (int round = 0; round < ROUNDS; round++) {
        size_t before = out;
        while (!device_lock_attempt(lock))
            out += step_and_take(stage.crew, finished + out);
        assert_in_range(out - before, 0, 2);
        work_for(&stage, 0.05);
        assert_null(crew_finished(stage.crew));
        device_lock_release(lock);
        for (before = out; out == before;) /* now it is the crew's turn */
            out += step_and_take(stage.crew, finished + out);
    }
    device_lock_free(lock);
    finish_all(stage.crew, finished + out, COUNT - out);
    for (size_t i = 0; i < COUNT; i++)
        assert_int_equal(finished[i]->index, i);
    free_all(finished, COUNT);
    clear_stage(&stage);
}

static bool gate_is_taken(const struct stage *stage)
{
    char path[600];
    snprintf(path, sizeof path, "%s/pretended-0.gate", stage->locks);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0);
    bool taken = flock(file, LOCK_EX | LOCK_NB) != 0;
    close(file);
    return taken;
}

static void test_dropped_candidates_leave_the_queue_for_the_device(void **state)
{
    (void)state;
    struct stage stage;
    set_stage(&stage, "cuda", 1, 20);
    struct device_lock *lock = lock_of(&stage);
    assert_true(device_lock_attempt(lock));
    crew_submit(stage.crew, candidate("good", 0));
    while (!gate_is_taken(&stage))
        work_for(&stage, 0.05);
    crew_drop_waiting(stage.crew);
    assert_int_equal(crew_inside(stage.crew), 0);
    assert_false(gate_is_taken(&stage));
    device_lock_free(lock);
    clear_stage(&stage);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_measured_while_another_has_the_device),
        cmocka_unit_test(test_one_who_waits_for_the_device_is_next),
        cmocka_unit_test(test_dropped_candidates_leave_the_queue_for_the_device),
    };
    return crew_tests_main(count, arguments, "crew, lock", tests, sizeof tests / sizeof *tests);
}
