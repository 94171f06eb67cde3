/* SPDX-License-Identifier: Apache-2.0 */
/* The crew: what becomes of candidates that go well and of those that fail, and what ends the work. */
#include "tests/unit/workers/crew_fixture.h"

/* Every way to fail, among candidates that do not: each gets its own outcome and the others are unharmed. */
static void each_outcome(const char *kind)
{
    static const struct {
        const char *path;
        enum outcome outcome;
        const char *message; /* a part of it */
    } cases[] = {
        {"good 1", OUTCOME_OK, "image of good 1"},
        {"refused", OUTCOME_COMPILE_ERROR, "line 1: no"},
        {"compiler crashes", OUTCOME_COMPILE_CRASH, "Segmentation fault"},
        {"good 2", OUTCOME_OK, "image of good 2"},
        {"compiler killed", OUTCOME_COMPILE_CRASH, "Killed"},
        {"compiler killed once", OUTCOME_OK, "image of compiler killed once"},
        {"compiler hangs", OUTCOME_COMPILE_TIMEOUT, "within 1 s"},
        {"kernel segfaults", OUTCOME_FAULT, "Segmentation fault"},
        {"good 3", OUTCOME_OK, "image of good 3"},
        {"kernel faults", OUTCOME_FAULT, "image of kernel faults"},
        {"kernel killed", OUTCOME_CRASH, "Killed"},
        {"kernel hangs", OUTCOME_TIMEOUT, "within 1 s"},
        {"kernel exits", OUTCOME_CRASH, "kernel says goodbye"},
        {"reference broken", OUTCOME_LAUNCH_ERROR, "the reference is broken"}, /* others had no trouble with it */
        {"device gone", OUTCOME_CRASH, "the bus is gone"},
        {"good 4", OUTCOME_OK, "image of good 4"},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct stage stage;
    struct error error = {0};
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = cases[i].path;
    set_stage(&stage, kind, 2, 1.0);
    if (!let_through(stage.crew, paths, COUNT, finished, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < COUNT; i++) {
        const struct evaluation *evaluation = &finished[i]->evaluation;
        size_t index = finished[i]->index;
        if (evaluation->outcome != cases[index].outcome || !strstr(evaluation->message, cases[index].message))
            fail_msg("%s: %s, %s", cases[index].path, outcome_name(evaluation->outcome), evaluation->message);
        if (evaluation->outcome == OUTCOME_OK) {
            assert_true(evaluation->time_ns == 1000);
            assert_true(evaluation->compile_seconds == 0.25);
            assert_int_equal(evaluation->spill_bytes, 16);
            assert_true(evaluation->measure_seconds == 77); /* the incumbent reached the worker */
        }
        if (evaluation->outcome == OUTCOME_COMPILE_ERROR)
            assert_true(evaluation->compile_seconds == 0.5);
        /* The time that a lost worker took is in the row: pretenders work for 10 ms, or until the deadline. */
        if (evaluation->outcome == OUTCOME_COMPILE_TIMEOUT || evaluation->outcome == OUTCOME_COMPILE_CRASH)
            assert_true(evaluation->compile_seconds >= (evaluation->outcome == OUTCOME_COMPILE_CRASH ? 0.01 : 1));
        if (evaluation->outcome == OUTCOME_TIMEOUT)
            assert_true(evaluation->measure_seconds >= 1);
        if (evaluation->outcome == OUTCOME_CRASH)
            assert_true(evaluation->measure_seconds > 0); /* counted from the answer before */
    }
    free_all(finished, COUNT);
    clear_stage(&stage);
}

static void test_each_outcome_on_a_device_of_its_own(void **state)
{
    (void)state;
    each_outcome("cuda");
}

static void test_each_outcome_on_shared_cores(void **state)
{
    (void)state;
    each_outcome("cpu");
}

/* Each alone, so that a worker's time is this candidate's. */
static void test_time_that_lost_workers_took(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double seconds;                                                                   /* at least */
    } cases[] = {{"kernel exits", 0.01}, {"kernel killed", 0.02}, {"device gone", 0.02}}; /* two workers */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct candidate *finished[1];
        struct stage stage;
        set_stage(&stage, "cuda", 1, 20);
        submit_with_image(stage.crew, cases[i].path, 0);
        finish_all(stage.crew, finished, 1);
        assert_int_equal(finished[0]->evaluation.outcome, OUTCOME_CRASH);
        assert_true(finished[0]->evaluation.measure_seconds >= cases[i].seconds);
        free_all(finished, 1);
        clear_stage(&stage);
    }
}

/* The largest number of compilers that were at work during any measurement. */
static int64_t compilers_beside(const char *kind)
{
    enum { COUNT = 50 };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct stage stage;
    struct error error;
    int64_t most = 0;
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = "good";
    set_stage(&stage, kind, 2, 20);
    assert_true(let_through(stage.crew, paths, COUNT, finished, &error));
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
        if (finished[i]->evaluation.resources.registers > most)
            most = finished[i]->evaluation.resources.registers;
    }
    free_all(finished, COUNT);
    clear_stage(&stage);
    return most;
}

static void test_compiles_ahead_on_a_device_of_its_own(void **state)
{
    (void)state;
    assert_in_range(compilers_beside("cuda"), 1, 2);
}

static void test_takes_turns_on_shared_cores(void **state)
{
    (void)state;
    assert_int_equal(compilers_beside("cpu"), 0);
}

static void end_of_work(const char *path, const char *mode, enum error_code code, const char *text)
{
    struct candidate *finished[1];
    struct stage stage;
    struct error error = {0};
    setenv(open_mode, mode, 1);
    set_stage(&stage, "cuda", 2, 20);
    assert_false(let_through(stage.crew, &path, 1, finished, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.text, text))
        fail_msg("%s", error.text);
    clear_stage(&stage);
    setenv(open_mode, "", 1);
}

static void test_a_device_that_cannot_be_opened_ends_the_work(void **state)
{
    (void)state;
    end_of_work("good", "fail", ERROR_WORK, "no such device");
}

static void test_another_device_in_its_place_ends_the_work(void **state)
{
    (void)state;
    end_of_work("good", "another", ERROR_WORK, "another device");
}

static void test_workers_that_die_at_birth_end_the_work(void **state)
{
    (void)state;
    end_of_work("good", "die", ERROR_WORK, "Illegal instruction");
}

static void test_a_missing_compiler_ends_the_work(void **state)
{
    (void)state;
    end_of_work("compiler missing", "", ERROR_WORK, "there is no compiler");
}

static void test_a_broken_reference_ends_the_work_at_once(void **state)
{
    (void)state;
    end_of_work("reference broken", "", ERROR_INPUT, "the reference is broken");
}

static void test_an_image_is_not_compiled_again(void **state)
{
    (void)state;
    struct stage stage;
    struct error error;
    struct candidate *finished;
    struct candidate *given = candidate("compiler crashes", 0);
    given->image = strdup("given image");
    given->image_bytes = strlen("given image");
    set_stage(&stage, "cuda", 1, 20);
    crew_submit(stage.crew, given);
    while (!(finished = crew_finished(stage.crew)))
        assert_true(crew_step(stage.crew, 0, 100, &error));
    assert_int_equal(finished->evaluation.outcome, OUTCOME_OK);
    assert_string_equal(finished->evaluation.message, "given image");
    candidate_free(finished);
    clear_stage(&stage);
}

/* What is being measured is finished, everything else goes; compilers at work are ended. */
static void test_drop_waiting(void **state)
{
    (void)state;
    struct stage stage;
    struct error error;
    struct candidate *finished;
    size_t count = 0;
    set_stage(&stage, "cuda", 2, 20);
    crew_submit(stage.crew, candidate("good", 0));
    for (size_t i = 1; i < 6; i++)
        crew_submit(stage.crew, candidate("compiler hangs", i));
    while (remains_entries(stage.busy, "") < 2) /* 0 is through, or both compilers are at work */
        assert_true(crew_step(stage.crew, 0, 5, &error));
    crew_drop_waiting(stage.crew);
    assert_true(crew_inside(stage.crew) <= 1);
    while (crew_inside(stage.crew) > 0)
        assert_true(crew_step(stage.crew, 0, 100, &error));
    for (; (finished = crew_finished(stage.crew)); count++) {
        assert_int_equal(finished->index, 0);
        candidate_free(finished);
    }
    assert_true(count <= 1);
    clear_stage(&stage);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_outcome_on_a_device_of_its_own),
        cmocka_unit_test(test_each_outcome_on_shared_cores),
        cmocka_unit_test(test_time_that_lost_workers_took),
        cmocka_unit_test(test_compiles_ahead_on_a_device_of_its_own),
        cmocka_unit_test(test_takes_turns_on_shared_cores),
        cmocka_unit_test(test_a_device_that_cannot_be_opened_ends_the_work),
        cmocka_unit_test(test_another_device_in_its_place_ends_the_work),
        cmocka_unit_test(test_workers_that_die_at_birth_end_the_work),
        cmocka_unit_test(test_a_missing_compiler_ends_the_work),
        cmocka_unit_test(test_a_broken_reference_ends_the_work_at_once),
        cmocka_unit_test(test_an_image_is_not_compiled_again),
        cmocka_unit_test(test_drop_waiting),
    };
    return crew_tests_main(count, arguments, "crew", tests, sizeof tests / sizeof *tests);
}
