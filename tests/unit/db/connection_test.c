/* SPDX-License-Identifier: Apache-2.0 */
/* Queries and transactions: bound values are read back, the step reports a failed bind, an abandoned transaction
 * leaves nothing behind. */
#include "fixture.h"

#include <math.h>

static struct query open_query(struct fixture *f, struct store *store, const char *sql)
{
    struct query query;
    if (!query_open(&query, store, sql, &f->error))
        fail_msg("%s", f->error.text);
    return query;
}

static void bound_values_are_read_back(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct query query = open_query(f, store, "SELECT ?, ?, ?, ?, ?, ?, ?, ?");
    query_bind_text(&query, "text");
    query_bind_text(&query, NULL);
    query_bind_integer(&query, INT64_MIN);
    query_bind_known(&query, -5);
    query_bind_real(&query, 0.1);
    query_bind_real(&query, NAN);
    query_bind_positive(&query, INFINITY);
    query_bind_positive(&query, 0);
    assert_int_equal(query_step(&query, &f->error), QUERY_ROW);
    assert_string_equal(query_text(&query, 0), "text");
    assert_string_equal(query_text(&query, 1), "");
    assert_true(query_known(&query, 2) == INT64_MIN);
    assert_int_equal(query_known(&query, 3), -1);
    assert_true(query_real(&query, 4, 7) == 0.1);
    for (int column = 5; column < 8; column++)
        assert_true(query_real(&query, column, 7) == 7);
    assert_int_equal(query_step(&query, &f->error), QUERY_DONE);
    query_close(&query);
    store_close(store);
}

static void too_many_values(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct query query = open_query(f, store, "SELECT ?");
    query_bind_integer(&query, 1);
    query_bind_integer(&query, 2);
    assert_int_equal(query_step(&query, &f->error), QUERY_FAILED);
    assert_int_equal(f->error.code, ERROR_SYSTEM);
    query_close(&query);
    store_close(store);
}

static void a_cached_statement_in_use_is_prepared_again(void **state)
{
    static const char sql[] = "SELECT value FROM (SELECT 1 AS value UNION ALL SELECT 2) WHERE value >= ?";
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct query outer, inner;
    assert_true(query_open_kept(&outer, store, sql, &f->error));
    query_bind_integer(&outer, 1);
    assert_int_equal(query_step(&outer, &f->error), QUERY_ROW);
    assert_true(query_open_kept(&inner, store, sql, &f->error));
    query_bind_integer(&inner, 2);
    int64_t value = 0;
    assert_true(query_integer(&inner, "value", &value, &f->error));
    assert_int_equal(value, 2);
    assert_int_equal(query_known(&outer, 0), 1); /* unaffected */
    assert_int_equal(query_step(&outer, &f->error), QUERY_ROW);
    assert_int_equal(query_known(&outer, 0), 2);
    query_close(&outer);
    store_close(store);
}

static void a_missing_integer_is_named(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct query query = open_query(f, store, "SELECT id FROM template WHERE name = 'none'");
    int64_t id;
    assert_false(query_integer(&query, "such template", &id, &f->error));
    assert_non_null(strstr(f->error.text, "has no such template"));
    store_close(store);
}

static void put_template(struct fixture *f, struct store *store, const char *name)
{
    struct query query = open_query(f, store, "INSERT INTO template (name, hash, used_at) VALUES (?, 'h', '2026')");
    query_bind_text(&query, name);
    assert_true(query_run(&query, &f->error));
}

static void transactions_are_all_or_nothing(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    assert_true(transaction_begin(store, &f->error));
    put_template(f, store, "kept");
    assert_true(transaction_end(store, true, &f->error));
    assert_true(transaction_begin(store, &f->error));
    put_template(f, store, "dropped");
    assert_false(transaction_end(store, false, &f->error));
    assert_true(transaction_begin(store, &f->error)); /* the next one is unaffected */
    put_template(f, store, "later");
    assert_true(transaction_end_soon(store, true, &f->error));
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(name) FROM template"), "kept,later");
}

static void waiting_for_another_programs_lock_times_out(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f), *other = fixture_open(f);
    assert_true(transaction_begin(other, &f->error));
    store_set_patience(store, 20);
    assert_false(transaction_begin(store, &f->error));
    assert_error(f, "locked by another program");
    assert_false(transaction_end(other, false, &f->error));
    assert_true(transaction_begin(store, &f->error));
    assert_true(transaction_end(store, true, &f->error));
    store_close(other);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(bound_values_are_read_back),
        unit(too_many_values),
        unit(a_cached_statement_in_use_is_prepared_again),
        unit(a_missing_integer_is_named),
        unit(transactions_are_all_or_nothing),
        unit(waiting_for_another_programs_lock_times_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
