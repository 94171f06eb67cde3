/* SPDX-License-Identifier: Apache-2.0 */
/* Of an objective with an index a problem sends its best row alone, of others all that may be. */
#include "fixture.h"

#include "db/candidates.h"

enum { ROWS = 4 };

static const double times[ROWS] = {400, 300, 200, 100}, joules[ROWS] = {1, 2, 4, 3};

/* Rows 1 to 4 of a problem, and row 5 of another size; `objective` is the template's default. */
static struct store *fill(struct fixture *f, const char *objective)
{
    static char values[ROWS][32] = {"{\"rate\":7}", "{\"rate\":9}", "{\"rate\":0}", "{\"rate\":8}"};
    struct store *store = fixture_open(f);
    f->problem.template_metrics = "{\"rate\":{\"text\":\"1\",\"sense\":\"maximize\"}}";
    f->problem.template_objective = objective;
    int64_t run = fixture_begin(f, store);
    for (int i = 0; i < ROWS; i++) {
        char configuration[16];
        struct evaluation evaluation = fixture_success(times[i]);
        evaluation.energy_j = joules[i];
        evaluation.metrics = values[i];
        snprintf(configuration, sizeof configuration, "{\"P\":%d}", i);
        fixture_put(f, store, run, configuration, evaluation);
    }
    f->problem.size = "M=1,N=1,K=1";
    fixture_put(f, store, fixture_begin(f, store), "{\"P\":1}", fixture_success(50));
    return store;
}

/* "4=100 5=50": the rows that are sent by an objective, with their values. */
static const char *sent(struct fixture *f, struct store *store, const char *objective, bool rungs)
{
    static char text[256];
    struct ranking ranking;
    struct query query;
    char *sql, *candidates;
    assert_true(ranking_find_or_default(store, objective, &ranking, &f->error));
    candidates = candidates_sql(&ranking, rungs, NULL);
    assert_non_null(candidates);
    assert_true(asprintf(&sql,
                         RANKING_WITH ", " CANDIDATES_ASKED(
                             "template.name = 'gemm'") "SELECT group_concat(evaluation || '=' || round(value, 3), ' "
                                                       "') FROM (SELECT * FROM (%s) "
                                                       "ORDER BY evaluation)",
                         candidates) > 0);
    free(candidates);
    if (!ranking_open(&query, store, &ranking, sql, &f->error))
        fail_msg("%s", f->error.text);
    assert_int_equal(query_step(&query, &f->error), QUERY_ROW);
    snprintf(text, sizeof text, "%s", query_text(&query, 0));
    query_close(&query);
    return text;
}

static void the_best_row_of_each_problem_is_sent(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f, NULL);
    assert_string_equal(sent(f, store, "time", false), "4=100.0 5=50.0");
    assert_string_equal(sent(f, store, NULL, false), "4=100.0 5=50.0");
    assert_string_equal(sent(f, store, "energy", false), "1=1.0"); /* row 5 has none */
    assert_string_equal(sent(f, store, "edp", false), "4=300.0");
    assert_string_equal(sent(f, store, "rate", false), "1=0.143 2=0.111 4=0.125");
    assert_string_equal(sent(f, store, "time", true), "1=400.0 2=300.0 3=200.0 4=100.0 5=50.0");
    store_close(store);
}

static void a_beaten_row_is_not_sent(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f, NULL);
    static const char verdicts[] = "INSERT INTO verdict (evaluation, objective, winner, result) VALUES "
                                   "(4, 'time', 3, 'lost'), (3, 'time', 3, 'winner'), (1, 'energy', 2, 'tied')";
    assert_int_equal(sqlite3_exec(store->sqlite, verdicts, NULL, NULL, NULL), SQLITE_OK);
    assert_string_equal(sent(f, store, "time", false), "3=200.0 5=50.0");
    assert_string_equal(sent(f, store, "energy", false), "2=2.0");
    assert_string_equal(sent(f, store, "edp", false), "4=300.0");
    assert_string_equal(sent(f, store, "time", true), "1=400.0 2=300.0 3=200.0 4=200.0 5=50.0"); /* as its winner */
    store_close(store);
}

static void each_template_has_its_default(void **state)
{
    static const struct {
        const char *objective, *expected;
    } cases[] = {{"energy", "1=1.0"}, {"edp", "4=300.0"}, {"rate", "1=0.143 2=0.111 4=0.125"}};
    struct fixture *f = *state;
    struct store *store = fill(f, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sql[128];
        snprintf(sql, sizeof sql, "UPDATE template SET objective = '%s'", cases[i].objective);
        assert_int_equal(sqlite3_exec(store->sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
        assert_string_equal(sent(f, store, NULL, false), cases[i].expected);
    }
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(the_best_row_of_each_problem_is_sent),
        unit(a_beaten_row_is_not_sent),
        unit(each_template_has_its_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
