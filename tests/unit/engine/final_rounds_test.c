/* SPDX-License-Identifier: Apache-2.0 */
/* Finals in whole sweeps: those that may be the best are measured again in turns. */
#include "tests/unit/engine/sweep_fixture.h"

/* On a busy machine one of the two may be measured as so much slower that nothing is left to decide: again then. */
static void sweep_to_finals(struct desk *desk, const char *status)
{
    desk->options.finals = true;
    desk->options.fresh = true;
    for (int turn = 0; turn < 10; turn++) {
        sweep_well(desk, status);
        if (desk->rounds > 0)
            return;
    }
    fail_msg("no finals in ten sweeps");
}

static void test_finals(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "twins", "twins");
    sweep_to_finals(&desk, "done");
    const struct sweep_finals *finals = &desk.summary.finals;
    size_t rounds = desk.rounds, winner = desk.summary.best_index;
    double best_ns = desk.summary.progress.best_ns;
    assert_int_equal(finals->finalists, 2);
    assert_in_range(rounds, 1, 20);
    assert_int_equal(finals->rounds, rounds);
    assert_int_equal(finals->lost + finals->tied, 1);
    assert_null(finals->needs_less_of); /* it is the same kernel */
    assert_int_equal(desk.summary.progress.done, 2);
    assert_int_equal(desk.summary.progress.final_round, 0);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 2);

    char *text = problem_configuration_text(desk.problem, winner), query[512];
    snprintf(query, sizeof query,
             "SELECT count(*) FROM best "
             "JOIN final ON final.evaluation = best.evaluation_id "
             "WHERE best.configuration = '%s' AND final.place = 1",
             text);
    assert_int_equal(number(&desk, query), 1);
    free(text);
    snprintf(query, sizeof query, "SELECT count(*) FROM final WHERE json_array_length(rounds_ns) = %zu", rounds);
    assert_int_equal(number(&desk, query), 2);
    assert_int_equal(number(&desk, "SELECT sum(tied) FROM final"), finals->tied);
    assert_true(number(&desk, "SELECT time_ns FROM final WHERE place = 1") == best_ns);

    /* They are held: the winner stays it, also where the other one was faster in the median. */
    desk.options.fresh = false;
    open_store(&desk, false);
    sweep_well(&desk, "done");
    assert_int_equal(desk.rounds, 0);
    assert_int_equal(desk.summary.progress.reused, 2);
    assert_int_equal(desk.summary.best_index, winner);
    assert_true(desk.summary.progress.best_ns == best_ns);
    close_desk(&desk);
}

static void spoil(struct desk *desk)
{
    FILE *file = fopen(getenv("TUNE_TEST_SPOIL"), "w");
    assert_non_null(file);
    fclose(file);
    desk->hit = 1;
}

static void test_a_finalist_that_fails_is_disqualified(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "twins", "twins");
    desk.act = spoil;
    desk.act_in = 2;
    sweep_to_finals(&desk, "done");
    unlink(getenv("TUNE_TEST_SPOIL"));
    assert_int_equal(desk.rounds, 3);
    assert_int_equal(desk.summary.progress.failed[OUTCOME_WRONG_RESULT], 1);
    assert_int_equal(desk.summary.progress.done, 2);
    assert_int_equal(count_rows(&desk, "outcome = 'wrong_result' AND configuration LIKE '%castor%'"), 1);
    assert_int_equal(count_rows(&desk, "outcome = 'ok' AND configuration LIKE '%pollux%'"), 1);
    assert_int_equal(number(&desk, "SELECT count(*) FROM best WHERE configuration LIKE '%pollux%'"), 1);
    assert_int_equal(number(&desk, "SELECT count(*) FROM final"), 1);
    char *text = problem_configuration_text(desk.problem, desk.summary.best_index);
    assert_non_null(strstr(text, "pollux"));
    free(text);
    close_desk(&desk);
}

static void test_finals_can_be_interrupted(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "twins", "twins");
    desk.act = interrupt;
    desk.act_in = 2;
    for (int turn = 0; turn < 10 && !desk.interrupted; turn++) {
        desk.options.finals = desk.options.fresh = true;
        if (!sweep(&desk))
            print_and_fail(&desk.error);
    }
    assert_true(desk.interrupted);
    assert_string_equal(desk.summary.status, "interrupted");
    assert_int_equal(number(&desk, "SELECT count(*) FROM final"), 0);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 2);
    assert_true(desk.summary.progress.best_ns > 0);

    /* Nothing new is measured next time, and yet the finals are still to be held. */
    desk.act = NULL;
    desk.interrupted = 0;
    desk.options.fresh = false;
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, 2);
    assert_in_range(desk.rounds, 1, 20);
    assert_int_equal(number(&desk, "SELECT count(*) FROM final"), 2);
    close_desk(&desk);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finals),
        cmocka_unit_test(test_a_finalist_that_fails_is_disqualified),
        cmocka_unit_test(test_finals_can_be_interrupted),
    };
    return sweep_tests_main(count, arguments, "finals of a sweep", tests, sizeof tests / sizeof *tests);
}
