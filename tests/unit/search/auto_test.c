/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

enum { MOST = 3000 };

/* The exhaustive order with a budget that covers the space, the surrogate's questions without. */
static void test_delegates(void **state)
{
    (void)state;
    enum { QUESTIONS = 30 };
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, MOST);
    const struct {
        size_t evaluations;
        const char *same;
    } cases[] = {{0, "surrogate"},
                 {landscape.count - 1, "surrogate"},
                 {landscape.count, "exhaustive"},
                 {landscape.count + 1, "exhaustive"}};
    size_t order[QUESTIONS], expected[QUESTIONS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct strategy_setup setup = {.seed = 9, .evaluations = cases[i].evaluations};
        drive_all(&landscape, strategy_find("auto"), setup, 2, QUESTIONS, order);
        drive_all(&landscape, strategy_find(cases[i].same), setup, 2, QUESTIONS, expected);
        assert_memory_equal(order, expected, sizeof order);
    }
    landscape_free(&landscape);
}

/* Thirty results that are no better, and every other question is tabu's, until there is a new best: the results of
 * questions 0 and 64 are. */
static void test_tabu_helps_while_nothing_better_is_found(void **state)
{
    (void)state;
    enum { QUESTIONS = 110, STALLED = 30, BETTER = 64 };
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, MOST);
    struct session automatic = session_begin("auto", landscape.space, 9);
    struct session asked[] = {session_begin("surrogate", landscape.space, 9),
                              session_begin("tabu", landscape.space, 10)};
    for (size_t i = 0; i < QUESTIONS; i++) {
        size_t stalled = i > BETTER ? i - BETTER - 1 : i > 0 ? i - 1 : 0;
        bool helps = stalled >= STALLED && (stalled - STALLED) % 2 == 0;
        size_t index = session_ask(&automatic);
        assert_int_equal(index, session_ask(&asked[helps]));
        const struct observation observation = {index, true, i == 0 ? 7 : i == BETTER ? 3 : 8, 1};
        automatic.driver->tell(automatic.state, &observation);
        for (size_t j = 0; j < 2; j++)
            asked[j].driver->tell(asked[j].state, &observation);
    }
    session_end(&automatic);
    for (size_t j = 0; j < 2; j++)
        session_end(&asked[j]);
    landscape_free(&landscape);
}

/* The strategy chosen gets its presets: auto has no parameters of its own. */
static void test_no_parameters(void **state)
{
    (void)state;
    assert_int_equal(strategy_find("auto")->parameter_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delegates),
        cmocka_unit_test(test_tabu_helps_while_nothing_better_is_found),
        cmocka_unit_test(test_no_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
