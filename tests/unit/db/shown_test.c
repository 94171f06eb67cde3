/* SPDX-License-Identifier: Apache-2.0 */
/* What a report shows of very many rows: what each diagram needs is there. */
#include "fixture.h"

#include "db/ranking.h"
#include "db/shown.h"

#include <jansson.h>

enum { ALLOWED = 400 }; /* of 4000 */

static void set(struct store *store, const char *sql)
{
    if (sqlite3_exec(store->sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(store->sqlite));
}

/*
 * Row i takes 1000 + i ns; its energy is least for 3000; every tenth fails, one of them in a way of its own. V is
 * "rare" for 3501 alone. The sweep came to them in this order, but for 3997, 3555 and 3333, which it tried first.
 */
static struct store *fill(struct fixture *f)
{
    struct store *store = fixture_open(f);
    fixture_begin(f, store);
    set(store,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) "
        "INSERT INTO evaluation (id, problem, configuration, outcome, measured_at, origin, time_ns, energy_j) "
        "SELECT i, 1, '{\"V\":\"' || CASE i WHEN 3501 THEN 'rare' ELSE 'usual' END || '\",\"N\":' || i || '}', "
        "CASE WHEN i = 2020 THEN 'crash' WHEN i % 10 THEN 'ok' ELSE 'fault' END, '2026-01-01', 'measured', "
        "CASE WHEN i % 10 THEN 1000 + i END, CASE WHEN i % 10 THEN 5 + abs(i - 3001) END FROM n");
    set(store, "INSERT INTO run_evaluation (run, sequence, evaluation, reused) SELECT 1, CASE id WHEN 3997 THEN 1 "
               "WHEN 3555 THEN 2 WHEN 3333 THEN 3 ELSE 10 + id END, id, 0 FROM evaluation");
    set(store,
        "INSERT INTO final (run, place, evaluation, tied, time_ns, rounds_ns) VALUES (1, 1, 3777, 0, 1, '[]')");
    set(store, "INSERT INTO verdict (evaluation, objective, winner, result) VALUES (3777, 'time', 3777, 'winner')");
    return store;
}

static bool is_shown(struct store *store, int64_t id)
{
    struct query query;
    int64_t count = 0;
    assert_true(query_open(&query, store, "SELECT count(*) FROM shown WHERE id = ?", NULL));
    query_bind_integer(&query, id);
    assert_true(query_integer(&query, "count", &count, NULL));
    return count == 1;
}

static int64_t ask(struct store *store, const char *sql)
{
    struct query query;
    int64_t answer = -1;
    assert_true(query_open(&query, store, sql, NULL) && query_integer(&query, "answer", &answer, NULL));
    return answer;
}

static void what_diagrams_need_is_shown(void **state)
{
    static const int64_t wanted[] = {
        3501 /* the best of its value */, 3777 /* a finalist */,       3997, 3555,
        3333 /* improvements */,          3001 /* the least energy */, 2020 /* its kind of failure */};
    struct fixture *f = *state;
    struct store *store = fill(f);
    json_t *names;
    assert_true(ranking_names("", &names, &f->error));
    if (!shown_begin(store, &f->error) || !shown_choose(store, 1, names, NULL, ALLOWED, &f->error))
        fail_msg("%s", f->error.text);
    for (int64_t i = 1; i <= 222; i++) /* the best half: 200 of 9 in 10 */
        assert_true(i % 10 == 0 || is_shown(store, i));
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (!is_shown(store, wanted[i]))
            fail_msg("%lld is not shown", (long long)wanted[i]);
    }
    assert_in_range(ask(store, "SELECT count(*) FROM shown"), ALLOWED * 3 / 4, ALLOWED * 3 / 2);
    assert_in_range(ask(store, "SELECT count(*) FROM shown JOIN evaluation USING (id) WHERE outcome = 'fault'"), 15,
                    25);
    assert_in_range(ask(store, "SELECT count(*) FROM shown WHERE id > 1000 AND id <= 2000"), 40, 80); /* evenly */
    json_decref(names);
    store_close(store);
}

static void shares_add_up(void **state)
{
    (void)state;
    static const struct {
        size_t counts[4], total, share;
    } cases[] = {
        {{10, 20, 30, 40}, 100, 40},   /* all fit */
        {{10, 20, 300, 400}, 100, 35}, /* two have 35 each */
        {{500, 500, 500, 500}, 100, 25}, {{0, 0, 0, 900}, 100, 100}, {{7, 7, 7, 7}, 20, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t share = shown_share(cases[i].counts, 4, cases[i].total), sum = 0;
        for (size_t j = 0; j < 4; j++)
            sum += cases[i].counts[j] < share ? cases[i].counts[j] : share;
        assert_true(share >= cases[i].share);
        assert_true(sum <= cases[i].total);
    }
    assert_true(shown_share(NULL, 0, 100) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {unit(what_diagrams_need_is_shown), cmocka_unit_test(shares_add_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
