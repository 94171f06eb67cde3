/* SPDX-License-Identifier: Apache-2.0 */
/* Another recording's configurations in the space that is searched. */
#include "tests/unit/simulate/by_hand.h"
#include "tuner/simulate/known_recording.h"

/* Parameters in another order, values in another order, one value that the space lacks, and one parameter more. */
static void test_mapping(void **state)
{
    (void)state;
    const struct value own_a[] = {value_integer(1), value_integer(2)};
    const struct value own_b[] = {value_string("x"), value_string("y"), {.kind = VALUE_UNSET}};
    const struct value only[] = {value_integer(5)};
    const struct dimension own[] = {{"a", own_a, 2}, {"b", own_b, 3}, {"c", only, 1}};
    const uint16_t own_rows[] = {0, 0, 0, /**/ 1, 1, 0, /**/ 0, 1, 0, /**/ 1, 2, 0};
    struct search_space *space;
    struct error error;
    assert_true(search_space_listed(own, 3, own_rows, 4, &space, &error));

    const struct value a[] = {value_integer(9), value_integer(2), value_integer(1)};
    const struct value b[] = {{.kind = VALUE_UNSET}, value_string("y"), value_string("x")};
    struct dimension parameters[] = {{"b", b, 3}, {"extra", only, 1}, {"a", a, 3}};
    uint16_t rows[] = {2, 0, 2, /**/ 1, 0, 1, /**/ 1, 0, 0, /**/ 0, 0, 1, /**/ 2, 0, 1};
    struct recorded_result results[] = {{.outcome = OUTCOME_OK, .time_ns = 30},
                                        {.outcome = OUTCOME_OK, .time_ns = 20},
                                        {.outcome = OUTCOME_OK, .time_ns = 1},
                                        {.outcome = OUTCOME_FAULT},
                                        {.outcome = OUTCOME_OK, .time_ns = 2}};
    const struct recording recording = {.name = "elsewhere",
                                        .parameters = parameters,
                                        .parameter_count = 3,
                                        .rows = rows,
                                        .results = results,
                                        .count = 5};
    size_t indices[3], count;
    assert_true(known_recording_best(&recording, "time", space, 3, indices, &count, &error));
    assert_int_equal(count, 2);
    assert_int_equal(indices[0], 1); /* in 20 ns: what is faster is not in the space */
    assert_int_equal(indices[1], 0);
    assert_true(known_recording_best(&recording, "time", space, 1, indices, &count, &error));
    assert_int_equal(count, 1);
    assert_int_equal(indices[0], 1);
    assert_false(known_recording_best(&recording, "energy", space, 3, indices, &count, &error));

    /* Nothing valid is in common. */
    results[0].outcome = results[1].outcome = OUTCOME_FAULT;
    assert_true(known_recording_best(&recording, "time", space, 3, indices, &count, &error));
    assert_int_equal(count, 0);

    /* A parameter that it lacks, and which matters. */
    results[0].outcome = OUTCOME_OK;
    parameters[2].name = "other";
    assert_true(known_recording_best(&recording, "time", space, 3, indices, &count, &error));
    assert_int_equal(count, 0);
    search_space_free(space);
}

/* A replay begins with the best of what is known, and counts until it is near the optimum. */
static void test_replay(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    static double objectives[COUNT], others[COUNT], costs[COUNT];
    struct by_hand made, elsewhere;
    struct replay_trace trace;
    struct error error;
    bool added;
    for (size_t i = 0; i < COUNT; i++) {
        objectives[i] = 100 + 3 * fabs((double)i - 17);
        others[i] = 900 + 7 * fabs((double)i - 17);
        costs[i] = 1;
    }
    make(&made, objectives, costs, COUNT);
    make(&elsewhere, others, costs, COUNT);
    struct simulated_space *space = simulated(&made, 0);
    const struct replay_plan plan = {.driver = strategy_find("random"), .within = 0.01};
    assert_true(replay_run(space, &plan, 5, &trace, &error));
    assert_true(trace.within_after > 1); /* by this seed */
    const struct replay_plan early = {.driver = strategy_find("random")};
    assert_true(replay_run(space, &early, 5, &trace, &error));
    assert_int_equal(trace.within_after, 0); /* not asked */
    assert_true(simulated_space_know(space, &elsewhere.recording, 1, &added, &error));
    assert_true(added);
    assert_true(replay_run(space, &plan, 5, &trace, &error));
    assert_int_equal(trace.within_after, 1);
    simulated_space_free(space);
    unmake(&made);
    unmake(&elsewhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mapping),
        cmocka_unit_test(test_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
