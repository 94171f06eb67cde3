/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/simulate/by_hand.h"

/* Failures cost their time and find nothing; until something valid is found the rank is the worst. */
static void test_failures_cost(void **state)
{
    (void)state;
    static const double objectives[] = {0, 10, 20, 30, 0, 40}, costs[] = {3, 1, 1, 1, 2, 1};
    static const size_t order[] = {0, 4, 1};
    struct by_hand made;
    make(&made, objectives, costs, 6);
    struct simulated_space *space = simulated(&made, 0);
    assert_near(space->pace, 1.5, 1e-12);
    assert_int_equal(space->valid, 4);
    struct replay_trace trace;
    run_script(space, order, 3, &trace);
    for (size_t i = 0; i < SCORE_TIMES; i++)
        assert_near((double)trace.ranks[i], simulated_space_time(space, i) < 6 ? 3 : 0, 0);
    assert_int_equal(script.failed, 2);
    assert_int_equal(script.valid, 1);
    simulated_space_free(space);
    unmake(&made);
}

/* Two at once: 2 s and 5 s start together, the others (1 s each) as lanes become free; results count when they end.
 */
static void test_parallel_clock(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 20, 40, 50, 60, 70, 80}, costs[] = {2, 5, 1, 1, 1, 1, 1, 1};
    static const size_t order[] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct by_hand made;
    make(&made, objectives, costs, 8);
    struct simulated_space *space = simulated(&made, 2);
    struct replay_trace trace;
    run_script(space, order, 8, &trace);
    assert_true(space->begin < 2 && space->end > 5);
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        double t = simulated_space_time(space, i);
        assert_near((double)trace.ranks[i], t < 2 ? 7 : t < 3 ? 2 : t < 5 ? 1 : 0, 0);
    }
    simulated_space_free(space);
    unmake(&made);
}

/* What ends after the last time does not count. */
static void test_end_of_time(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 100, 1, 1, 1};
    static const size_t order[] = {0, 1, 3};
    struct by_hand made;
    struct replay_trace trace;
    make(&made, objectives, costs, 5);
    struct simulated_space *space = simulated(&made, 0);
    run_script(space, order, 3, &trace);
    assert_true(1 + 100 > space->end);
    assert_int_equal(trace.evaluations, 1);
    assert_near((double)trace.ranks[SCORE_TIMES - 1], 2, 0);
    simulated_space_free(space);
    unmake(&made);
}

/* Between objectives 10, 20, 30 a figure has the rank of the next that is no better; the last digits don't matter. */
static void test_trace_of_another_program(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 1, 1, 1};
    static const double seconds[] = {0, 1.5, 1.6, 3, 3.5, 1000};
    static const double best_ns[] = {0, 60, 25, 20.000000000001, 9, 1};
    static const double ranks[] = {4, 4, 2, 1, 0}; /* 0: nothing valid yet; 60: as the worst */
    struct by_hand made;
    struct replay_trace trace;
    make(&made, objectives, costs, 5);
    struct simulated_space *space = simulated(&made, 0);
    replay_trace_read(space, seconds, best_ns, 6, &trace);
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        double time = simulated_space_time(space, i);
        size_t last = 0;
        while (last + 1 < 5 && seconds[last + 1] <= time)
            last++;
        assert_near((double)trace.ranks[i], ranks[last], 0);
    }
    assert_int_equal(trace.evaluations, 5);
    replay_trace_read(space, NULL, NULL, 0, &trace);
    assert_near((double)trace.ranks[SCORE_TIMES - 1], 4, 0);
    simulated_space_free(space);
    unmake(&made);
}

/* The same seed, the same trace. */
static void test_seed(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    double objectives[COUNT], costs[COUNT];
    struct by_hand made;
    struct error error;
    struct replay_trace *traces = calloc(3, sizeof *traces);
    assert_non_null(traces);
    for (int i = 0; i < COUNT; i++) {
        objectives[i] = 1 + i * 37 % COUNT;
        costs[i] = 1;
    }
    make(&made, objectives, costs, COUNT);
    struct simulated_space *space = simulated(&made, 3);
    const struct replay_plan plan = {.driver = strategy_find("random")};
    for (uint64_t i = 0; i < 3; i++)
        assert_true(replay_run(space, &plan, i / 2, &traces[i], &error));
    assert_memory_equal(&traces[0], &traces[1], sizeof *traces);
    assert_memory_not_equal(traces[0].ranks, traces[2].ranks, sizeof traces[0].ranks);
    free(traces);
    simulated_space_free(space);
    unmake(&made);
}

/* A strategy that runs out of memory fails the replay. */
static enum answer fail_to_ask(void *state, size_t *index)
{
    (void)state, (void)index;
    return ASK_FAILED;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 50}, costs[] = {1, 1, 1};
    struct by_hand made;
    struct replay_trace trace;
    struct error error;
    struct strategy_driver failing = scripted;
    failing.ask = fail_to_ask;
    make(&made, objectives, costs, 3);
    struct simulated_space *space = simulated(&made, 0);
    assert_false(replay_run(space, &(struct replay_plan){.driver = &failing}, 1, &trace, &error));
    assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
    simulated_space_free(space);
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures_cost), cmocka_unit_test(test_parallel_clock),
        cmocka_unit_test(test_end_of_time),   cmocka_unit_test(test_trace_of_another_program),
        cmocka_unit_test(test_seed),          cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
