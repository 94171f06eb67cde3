/* SPDX-License-Identifier: Apache-2.0 */
/* The crew: outcomes of candidates that succeed or fail, and errors that end the work. */
#include "tests/unit/workers/crew_fixture.h"

/* Every kind of failure among good candidates: each gets its own outcome and leaves the others unaffected. */
static void each_outcome(const char *kind)
{
    static const struct {
        const char *path;
        enum outcome outcome;
        const char *message; /* a substring */
        int64_t transient;
    } cases[] = {
        {"good 1", OUTCOME_OK, "image of good 1", 0},
        {"refused", OUTCOME_COMPILE_ERROR, "line 1: no", 0},
        {"compiler crashes", OUTCOME_COMPILE_CRASH, "Segmentation fault", 0},
        {"good 2", OUTCOME_OK, "image of good 2", 0},
        {"compiler killed", OUTCOME_COMPILE_CRASH, "Killed", 1},
        {"system short of processes", OUTCOME_COMPILE_CRASH, "Resource temporarily unavailable", 1},
        {"system short of processes once", OUTCOME_OK, "image of system short of processes once", 0},
        {"its compiler killed", OUTCOME_COMPILE_CRASH, "Killed signal terminated program cc1plus", 1},
        {"its compiler stopped", OUTCOME_COMPILE_TIMEOUT, "within 1 s", 1},
        {"compiler killed once", OUTCOME_OK, "image of compiler killed once", 0},
        {"compiler hangs", OUTCOME_COMPILE_TIMEOUT, "within 1 s", 0},
        {"kernel segfaults", OUTCOME_FAULT, "Segmentation fault", 0},
        {"good 3", OUTCOME_OK, "image of good 3", 0},
        {"kernel faults", OUTCOME_FAULT, "image of kernel faults", 0},
        {"kernel killed", OUTCOME_CRASH, "Killed", 1},
        {"kernel killed once", OUTCOME_OK, "image of kernel killed once", 0},
        {"memory taken", OUTCOME_MEMORY, "image of memory taken", 1},
        {"memory taken once", OUTCOME_OK, "image of memory taken once", 0},
        {"kernel stopped", OUTCOME_TIMEOUT, "within 1 s", 1},
        {"kernel stopped once", OUTCOME_OK, "image of kernel stopped once", 0},
        {"kernel hangs", OUTCOME_TIMEOUT, "within 1 s", 0},
        {"kernel exits", OUTCOME_CRASH, "kernel says goodbye", 0},
        {"reference broken", OUTCOME_LAUNCH_ERROR, "the reference is broken",
         0}, /* other candidates passed with it */
        {"device gone", OUTCOME_CRASH, "the bus is gone", 1},
        {"good 4", OUTCOME_OK, "image of good 4", 0},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct crew_fixture fixture;
    struct error error = {0};
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = cases[i].path;
    crew_fixture_create(&fixture, kind, 2, 1.0);
    if (!run_through(fixture.crew, paths, COUNT, finished, &error))
        fail_msg("%s", error.text);
    for (size_t i = 0; i < COUNT; i++) {
        const struct evaluation *evaluation = &finished[i]->evaluation;
        size_t index = finished[i]->index;
        if (evaluation->outcome != cases[index].outcome || !strstr(evaluation->message, cases[index].message))
            fail_msg("%s: %s, %s", cases[index].path, outcome_name(evaluation->outcome), evaluation->message);
        if (evaluation->transient != cases[index].transient)
            fail_msg("%s: transient %d", cases[index].path, (int)evaluation->transient);
        /* The report puts the outcome's meaning before the message. */
        if (strstr(evaluation->message, outcome_meaning(evaluation->outcome)))
            fail_msg("%s: %s", cases[index].path, evaluation->message);
        if (evaluation->outcome == OUTCOME_OK) {
            assert_true(evaluation->time_ns == 1000);
            assert_true(evaluation->compile_seconds == 0.25);
            assert_int_equal(evaluation->spill_bytes, 16);
            assert_true(evaluation->measure_seconds == 77); /* the incumbent reached the worker */
        }
        if (evaluation->outcome == OUTCOME_COMPILE_ERROR)
            assert_true(evaluation->compile_seconds == 0.5);
        /* A lost worker's time is recorded: fake workers run for 10 ms, or until the deadline. */
        if (evaluation->outcome == OUTCOME_COMPILE_TIMEOUT || evaluation->outcome == OUTCOME_COMPILE_CRASH)
            assert_true(evaluation->compile_seconds >= (evaluation->outcome == OUTCOME_COMPILE_CRASH ? 0.01 : 1));
        if (evaluation->outcome == OUTCOME_TIMEOUT)
            assert_true(evaluation->measure_seconds >= 1);
        if (evaluation->outcome == OUTCOME_CRASH)
            assert_true(evaluation->measure_seconds > 0); /* counted from the previous answer */
    }
    free_all(finished, COUNT);
    crew_fixture_free(&fixture);
}

static void test_each_outcome_on_a_dedicated_device(void **state)
{
    (void)state;
    each_outcome("cuda");
}

static void test_each_outcome_on_shared_cores(void **state)
{
    (void)state;
    each_outcome("cpu");
}

/* One at a time, so a worker's time belongs to its only candidate. */
static void test_the_time_of_lost_workers_is_recorded(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        double seconds;                                                                   /* at least */
    } cases[] = {{"kernel exits", 0.01}, {"kernel killed", 0.02}, {"device gone", 0.02}}; /* two workers */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct candidate *finished[1];
        struct crew_fixture fixture;
        crew_fixture_create(&fixture, "cuda", 1, 20);
        submit_with_image(fixture.crew, cases[i].path, 0);
        finish_all(fixture.crew, finished, 1);
        assert_int_equal(finished[0]->evaluation.outcome, OUTCOME_CRASH);
        assert_true(finished[0]->evaluation.measure_seconds >= cases[i].seconds);
        free_all(finished, 1);
        crew_fixture_free(&fixture);
    }
}

/* The largest number of compilers running during any measurement. */
static int64_t most_compilers_during_a_measurement(const char *kind)
{
    enum { COUNT = 50 };
    const char *paths[COUNT];
    struct candidate *finished[COUNT];
    struct crew_fixture fixture;
    struct error error;
    int64_t most = 0;
    for (size_t i = 0; i < COUNT; i++)
        paths[i] = "good";
    crew_fixture_create(&fixture, kind, 2, 20);
    assert_true(run_through(fixture.crew, paths, COUNT, finished, &error));
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(finished[i]->evaluation.outcome, OUTCOME_OK);
        if (finished[i]->evaluation.resources.registers > most)
            most = finished[i]->evaluation.resources.registers;
    }
    free_all(finished, COUNT);
    crew_fixture_free(&fixture);
    return most;
}

static void test_compiles_ahead_on_a_dedicated_device(void **state)
{
    (void)state;
    assert_in_range(most_compilers_during_a_measurement("cuda"), 1, 2);
}

static void test_compiling_and_measuring_alternate_on_shared_cores(void **state)
{
    (void)state;
    assert_int_equal(most_compilers_during_a_measurement("cpu"), 0);
}

static void expect_fatal(const char *path, const char *mode, enum error_code code, const char *text)
{
    struct candidate *finished[1];
    struct crew_fixture fixture;
    struct error error = {0};
    setenv(open_mode, mode, 1);
    crew_fixture_create(&fixture, "cuda", 2, 20);
    assert_false(run_through(fixture.crew, &path, 1, finished, &error));
    assert_int_equal(error.code, code);
    if (!strstr(error.text, text))
        fail_msg("%s", error.text);
    crew_fixture_free(&fixture);
    setenv(open_mode, "", 1);
}

static void test_a_device_that_cannot_be_opened_is_fatal(void **state)
{
    (void)state;
    expect_fatal("good", "fail", ERROR_WORK, "no such device");
}

static void test_a_substituted_device_is_fatal(void **state)
{
    (void)state;
    expect_fatal("good", "another", ERROR_WORK, "another device");
}

static void test_workers_that_die_at_startup_are_fatal(void **state)
{
    (void)state;
    expect_fatal("good", "die", ERROR_WORK, "Illegal instruction");
}

static void test_a_missing_compiler_is_fatal(void **state)
{
    (void)state;
    expect_fatal("compiler missing", "", ERROR_WORK, "there is no compiler");
}

static void test_a_broken_reference_is_fatal_immediately(void **state)
{
    (void)state;
    expect_fatal("reference broken", "", ERROR_INPUT, "the reference is broken");
}

static void test_an_existing_image_is_not_recompiled(void **state)
{
    (void)state;
    struct crew_fixture fixture;
    struct error error;
    struct candidate *finished;
    struct candidate *given = candidate("compiler crashes", 0);
    given->image = strdup("given image");
    given->image_bytes = strlen("given image");
    crew_fixture_create(&fixture, "cuda", 1, 20);
    crew_submit(fixture.crew, given);
    while (!(finished = crew_finished(fixture.crew)))
        assert_true(crew_step(fixture.crew, 100, &error));
    assert_int_equal(finished->evaluation.outcome, OUTCOME_OK);
    assert_string_equal(finished->evaluation.message, "given image");
    candidate_free(finished);
    crew_fixture_free(&fixture);
}

/* As two sizes may ask for it at a time: the second image is to come from the cache. */
static void test_the_same_is_not_compiled_twice_at_a_time(void **state)
{
    (void)state;
    enum { COUNT = 6 };
    struct crew_fixture fixture;
    struct error error;
    struct candidate *finished;
    crew_fixture_create(&fixture, "cuda", 2, 20);
    for (size_t i = 0; i < COUNT; i++) {
        struct candidate *given = candidate("good", 0);
        given->index = i;
        crew_submit(fixture.crew, given);
    }
    for (size_t count = 0; count < COUNT;) {
        assert_true(crew_step(fixture.crew, 5, &error));
        assert_in_range(remains_entries(fixture.busy, ""), 0, 1);
        for (; (finished = crew_finished(fixture.crew)); count++) {
            assert_int_equal(finished->evaluation.outcome, OUTCOME_OK);
            candidate_free(finished);
        }
    }
    crew_fixture_free(&fixture);
}

/* The current measurement finishes, everything else is dropped and running compilers are stopped. */
static void test_drop_waiting(void **state)
{
    (void)state;
    struct crew_fixture fixture;
    struct error error;
    struct candidate *finished;
    size_t count = 0;
    crew_fixture_create(&fixture, "cuda", 2, 20);
    crew_submit(fixture.crew, candidate("good", 0));
    for (size_t i = 1; i < 6; i++)
        crew_submit(fixture.crew, candidate("compiler hangs", i));
    while (remains_entries(fixture.busy, "") < 2) /* until candidate 0 has finished or both compilers are running */
        assert_true(crew_step(fixture.crew, 5, &error));
    crew_drop_waiting(fixture.crew);
    assert_true(crew_inside(fixture.crew) <= 1);
    while (crew_inside(fixture.crew) > 0)
        assert_true(crew_step(fixture.crew, 100, &error));
    for (; (finished = crew_finished(fixture.crew)); count++) {
        assert_int_equal(finished->index, 0);
        candidate_free(finished);
    }
    assert_true(count <= 1);
    crew_fixture_free(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_outcome_on_a_dedicated_device),
        cmocka_unit_test(test_each_outcome_on_shared_cores),
        cmocka_unit_test(test_the_time_of_lost_workers_is_recorded),
        cmocka_unit_test(test_compiles_ahead_on_a_dedicated_device),
        cmocka_unit_test(test_compiling_and_measuring_alternate_on_shared_cores),
        cmocka_unit_test(test_a_device_that_cannot_be_opened_is_fatal),
        cmocka_unit_test(test_a_substituted_device_is_fatal),
        cmocka_unit_test(test_workers_that_die_at_startup_are_fatal),
        cmocka_unit_test(test_a_missing_compiler_is_fatal),
        cmocka_unit_test(test_a_broken_reference_is_fatal_immediately),
        cmocka_unit_test(test_an_existing_image_is_not_recompiled),
        cmocka_unit_test(test_the_same_is_not_compiled_twice_at_a_time),
        cmocka_unit_test(test_drop_waiting),
    };
    return crew_tests_main(count, arguments, "crew", tests, sizeof tests / sizeof *tests);
}
