/* SPDX-License-Identifier: Apache-2.0 */
/* Finals in whole sweeps: the contenders are measured again in turns. */
#include "tests/unit/engine/sweep_fixture.h"

/* On a busy machine one of the two may seem so much slower that no finals are needed: try again. */
static void sweep_to_finals(struct sweep_fixture *fixture, const char *status)
{
    fixture->options.finals = true;
    fixture->options.fresh = true;
    for (int turn = 0; turn < 10; turn++) {
        sweep_well(fixture, status);
        if (fixture->rounds > 0)
            return;
    }
    fail_msg("no finals in ten sweeps");
}

static void test_finals(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "twins", "twins");
    sweep_to_finals(&fixture, "done");
    const struct sweep_finals *finals = &fixture.summary.finals;
    size_t rounds = fixture.rounds, winner = fixture.summary.best_index;
    double best_ns = fixture.summary.progress.best_ns;
    assert_int_equal(finals->finalists, 2);
    assert_in_range(rounds, 1, 20);
    assert_int_equal(finals->rounds, rounds);
    assert_int_equal(finals->lost + finals->tied, 1);
    assert_null(finals->needs_less_of); /* both are the same kernel */
    assert_int_equal(fixture.summary.progress.done, 2);
    assert_int_equal(fixture.summary.progress.final_round, 0);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 2);

    char *text = problem_configuration_text(fixture.problem, winner), query[512];
    snprintf(query, sizeof query,
             "SELECT count(*) FROM best "
             "JOIN final ON final.evaluation = best.evaluation_id "
             "WHERE best.configuration = '%s' AND final.place = 1",
             text);
    assert_int_equal(number(&fixture, query), 1);
    free(text);
    snprintf(query, sizeof query, "SELECT count(*) FROM final WHERE json_array_length(rounds_ns) = %zu", rounds);
    assert_int_equal(number(&fixture, query), 2);
    assert_int_equal(number(&fixture, "SELECT sum(tied) FROM final"), finals->tied);
    assert_true(number(&fixture, "SELECT time_ns FROM final WHERE place = 1") == best_ns);

    /* Finals are not repeated: the winner stays, even if the other was faster in the median. */
    fixture.options.fresh = false;
    open_store(&fixture, false);
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.rounds, 0);
    assert_int_equal(fixture.summary.progress.reused, 2);
    assert_int_equal(fixture.summary.best_index, winner);
    assert_true(fixture.summary.progress.best_ns == best_ns);
    sweep_fixture_close(&fixture);
}

static void fail_a_finalist(struct sweep_fixture *fixture)
{
    FILE *file = fopen(getenv("TUNE_TEST_SPOIL"), "w");
    assert_non_null(file);
    fclose(file);
    fixture->hit = 1;
}

static void test_a_finalist_that_fails_is_disqualified(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "twins", "twins");
    fixture.act = fail_a_finalist;
    fixture.act_in = 2;
    sweep_to_finals(&fixture, "done");
    unlink(getenv("TUNE_TEST_SPOIL"));
    assert_int_equal(fixture.rounds, 3);
    assert_int_equal(fixture.summary.progress.failed[OUTCOME_WRONG_RESULT], 1);
    assert_int_equal(fixture.summary.progress.done, 2);
    assert_int_equal(count_rows(&fixture, "outcome = 'wrong_result' AND configuration LIKE '%castor%'"), 1);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok' AND configuration LIKE '%pollux%'"), 1);
    assert_int_equal(number(&fixture, "SELECT count(*) FROM best WHERE configuration LIKE '%pollux%'"), 1);
    assert_int_equal(number(&fixture, "SELECT count(*) FROM final"), 1);
    char *text = problem_configuration_text(fixture.problem, fixture.summary.best_index);
    assert_non_null(strstr(text, "pollux"));
    free(text);
    sweep_fixture_close(&fixture);
}

static void test_finals_can_be_interrupted(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "twins", "twins");
    fixture.act = interrupt;
    fixture.act_in = 2;
    for (int turn = 0; turn < 10 && !fixture.interrupted; turn++) {
        fixture.options.finals = fixture.options.fresh = true;
        if (!sweep(&fixture))
            print_and_fail(&fixture.error);
    }
    assert_true(fixture.interrupted);
    assert_string_equal(fixture.summary.status, "interrupted");
    assert_int_equal(number(&fixture, "SELECT count(*) FROM final"), 0);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 2);
    assert_true(fixture.summary.progress.best_ns > 0);

    /* The next sweep measures nothing new, but must still hold the finals. */
    fixture.act = NULL;
    fixture.interrupted = 0;
    fixture.options.fresh = false;
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.reused, 2);
    assert_in_range(fixture.rounds, 1, 20);
    assert_int_equal(number(&fixture, "SELECT count(*) FROM final"), 2);
    sweep_fixture_close(&fixture);
}

static void change(const struct sweep_fixture *fixture, const char *sql)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open(fixture->database, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

/* Those by time decide nothing by another objective. And what they do not meter, a row keeps. */
static void test_finals_are_held_for_each_objective(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    struct objective rate;
    sweep_fixture_open(&fixture, "twins", "twins");
    sweep_to_finals(&fixture, "done");
    change(&fixture, "UPDATE evaluation SET time_ns = 2000, time_low_ns = 1900, time_high_ns = 2100, "
                     "energy_j = 2, energy_error_j = 0.5");
    assert_true(objective_choose(fixture.template, "rate", &rate, &fixture.error));
    fixture.options.objective = &rate;
    fixture.options.fresh = false;
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.reused, 2);
    assert_in_range(fixture.rounds, 1, 20);
    assert_int_equal(number(&fixture, "SELECT count(*) FROM verdict WHERE objective = 'rate'"), 2);
    assert_int_equal(number(&fixture, "SELECT count(*) FROM verdict WHERE objective = 'time'"), 2);
    assert_int_equal(count_rows(&fixture, "abs(json_extract(metrics, '$.watts') * time_ns * 1e-9 - energy_j) < 1e-6"),
                     2);
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.rounds, 0); /* once is enough */
    sweep_fixture_close(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finals),
        cmocka_unit_test(test_a_finalist_that_fails_is_disqualified),
        cmocka_unit_test(test_finals_can_be_interrupted),
        cmocka_unit_test(test_finals_are_held_for_each_objective),
    };
    return sweep_tests_main(count, arguments, "finals of a sweep", tests, sizeof tests / sizeof *tests);
}
