/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/simulate/by_hand.h"

/*
 * Five valid configurations (10 .. 50 ns) at one second each. The expected best rank after k draws is (5 - k) /
 * (k + 1), objectives are 10 + 10 * rank, and the median is 30. Random search is 1 % of the way from 30 to 10 at rank
 * 1.98, k = (5 - 1.98) / 2.98, and 95 % at rank 0.1, k = 4.9 / 1.1. By time t it has made one draw per whole second.
 * The standard deviation of a rank is at most 1.42, that of the mean of 20000 a hundredth.
 */
static void test_window_and_baseline_by_hand(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 1, 1, 1};
    struct by_hand made;
    make(&made, objectives, costs, 5);
    struct simulated_space *space = simulated(&made, 0);
    assert_near(space->median, 30, 1e-9);
    assert_near(space->begin, 3.02 / 2.98, 1e-9);
    assert_near(space->end, 4.9 / 1.1, 1e-9);
    static const uint32_t places[] = {2, 0, 4, 1, 3};
    assert_memory_equal(space->ranks, places, sizeof places);
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        double k = floor(simulated_space_time(space, i));
        assert_near(space->baseline[i], 10 + 10 * (5 - k) / (k + 1), 10 * 0.04);
    }
    simulated_space_free(space);

    space = simulated(&made, 4); /* four at once: four times as fast */
    assert_near(space->begin, 3.02 / 2.98 / 4, 1e-9);
    assert_near(space->end, 4.9 / 1.1 / 4, 1e-9);
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        double k = simulated_space_time(space, i) < 1 ? 0 : 4; /* the worst until then */
        assert_near(space->baseline[i], k > 0 ? 10 + 10 * (5 - k) / (k + 1) : 50, 10 * 0.04);
    }
    simulated_space_free(space);
    unmake(&made);
}

/* Ranks in the order of the recording where objectives are equal; a fractional rank is interpolated. */
static void test_ranks(void **state)
{
    (void)state;
    static const double objectives[] = {20, 0, 10, 20, 40}, costs[] = {1, 2, 3, 4, 5};
    static const uint32_t ranks[] = {1, 4, 0, 2, 3};
    struct by_hand made;
    make(&made, objectives, costs, 5);
    struct simulated_space *space = simulated(&made, 0);
    assert_int_equal(space->valid, 4);
    assert_memory_equal(space->ranks, ranks, sizeof ranks);
    assert_near(space->pace, 3, 1e-12);
    assert_near(simulated_space_objective(space, 0), 10, 0);
    assert_near(simulated_space_objective(space, 0.25), 12.5, 1e-12);
    assert_near(simulated_space_objective(space, 2.5), 30, 1e-12);
    assert_near(simulated_space_objective(space, 3), 40, 0);
    assert_near(simulated_space_objective(space, 3.5), 40, 0);
    simulated_space_free(space);
    unmake(&made);
}

/*
 * What is to be large: the values of the first test turned round, 60 - value, are ranked as those are, and the window
 * and the baseline mirror them. Strategies minimise, so they are told the reciprocal.
 */
static void test_maximized_objectives_mirror_minimized_ones(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 1, 1, 1};
    static const char *const metrics[] = {"{\"rate\":30}", "{\"rate\":50}", "{\"rate\":10}", "{\"rate\":40}",
                                          "{\"rate\":20}"};
    struct by_hand made;
    struct simulated_space *space;
    struct error error;
    make(&made, objectives, costs, 5);
    struct simulated_space *mirrored = simulated(&made, 0);
    made.recording.definitions = "{\"rate\":{\"sense\":\"maximize\"}}";
    for (size_t i = 0; i < 5; i++) {
        made.results[i].metrics = metrics[i];
        made.results[i].time_ns = 1;
    }
    if (!simulated_space_create(&made.recording, "rate", 0, &space, &error))
        fail_msg("%s", error.text);
    assert_memory_equal(space->ranks, mirrored->ranks, 5 * sizeof *space->ranks);
    assert_near(space->objectives[0], 50, 0);
    assert_near(space->median, 30, 1e-9);
    assert_near(space->begin, mirrored->begin, 1e-9);
    assert_near(space->end, mirrored->end, 1e-9);
    for (size_t i = 0; i < SCORE_TIMES; i++)
        assert_near(space->baseline[i], 60 - mirrored->baseline[i], 1e-9);
    static const size_t order[] = {4, 1}; /* the second is the best, and ends the replay */
    struct replay_trace trace;
    run_script(space, order, 2, &trace);
    assert_near(script.objective, 1 / 50.0, 1e-15);
    run_script(mirrored, order, 2, &trace);
    assert_near(script.objective, 10, 0);
    simulated_space_free(space);
    simulated_space_free(mirrored);
    unmake(&made);
}

/* The objective says nothing of two valid ones. */
static void test_configurations_without_a_value_count_as_failures(void **state)
{
    (void)state;
    static const double objectives[] = {5, 4, 3, 2, 1}, costs[] = {1, 1, 1, 1, 1};
    static const uint32_t ranks[] = {0, 1, 2, 3, 3};
    struct by_hand made;
    struct simulated_space *space;
    struct error error;
    make(&made, objectives, costs, 5);
    for (size_t i = 0; i < 3; i++)
        made.results[i].energy_j = (double)(i + 1);
    if (!simulated_space_create(&made.recording, "energy", 0, &space, &error))
        fail_msg("%s", error.text);
    assert_int_equal(space->valid, 3);
    assert_memory_equal(space->ranks, ranks, sizeof ranks);
    assert_int_equal(space->values.missing, 2);
    simulated_space_free(space);
    unmake(&made);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        double objectives[3], costs[3];
        const char *says;
    } cases[] = {
        {{5, 0, 0}, {1, 1, 1}, "1 valid configuration, but a replay needs at least two"},
        {{0, 0, 0}, {1, 1, 1}, "0 valid configurations, but a replay needs at least two"},
        {{5, 5, 5}, {1, 1, 1}, "half of the configurations equal the best"},
        {{5, 6, 7}, {0, 0, 0}, "no compile, validation or measurement times"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct by_hand made;
        struct simulated_space *space;
        struct error error;
        make(&made, cases[i].objectives, cases[i].costs, 3);
        assert_false(simulated_space_create(&made.recording, NULL, 0, &space, &error));
        if (!strstr(error.text, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", error.text, cases[i].says);
        unmake(&made);
    }
}

/* It begins, and what only it and the first evaluation waited for is left out: medians are 2 s. */
static void test_default(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 2, 9, 3};
    struct by_hand made;
    make(&made, objectives, costs, 5);
    for (size_t i = 0; i < 5; i++)
        made.results[i].measure_seconds = i > 0 ? 2 : 5;
    struct simulated_space *space = simulated(&made, 0);
    assert_int_equal(space->prior_count, 0);
    assert_near(space->compile_seconds[3], 9, 0);
    assert_near(space->measure_seconds[0], 5, 0);
    simulated_space_free(space);
    made.recording.has_default = true;
    made.recording.default_index = 3;
    space = simulated(&made, 0);
    assert_int_equal(space->prior_count, 1);
    assert_int_equal(space->priors[0], 3);
    assert_near(space->compile_seconds[3], 2, 0);
    assert_near(space->compile_seconds[4], 3, 0);
    assert_near(space->measure_seconds[0], 2, 0);
    assert_near(space->pace, (1 + 1 + 2 + 2 + 3 + 5 * 2) / 5.0, 1e-12);
    simulated_space_free(space);
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_window_and_baseline_by_hand),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_maximized_objectives_mirror_minimized_ones),
        cmocka_unit_test(test_configurations_without_a_value_count_as_failures),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
