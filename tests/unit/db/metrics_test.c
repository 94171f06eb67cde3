/* SPDX-License-Identifier: Apache-2.0 */
/* Values of metrics are put where they are missing or of other definitions, and nowhere else. */
#include "counting.h"
#include "fixture.h"

static size_t stale(struct fixture *f, struct store *store, const char *definitions)
{
    size_t rows = 0;
    if (!store_metrics_stale(store, "gemm", "aaaa", definitions, count_row, &rows, &f->error))
        fail_msg("%s", f->error.text);
    return rows;
}

static bool is_current(struct fixture *f, struct store *store, const char *definitions, const char *objective)
{
    bool current;
    if (!store_metrics_current(store, "gemm", "aaaa", definitions, objective, &current, &f->error))
        fail_msg("%s", f->error.text);
    return current;
}

static void stale_rows_are_found_and_put(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static const char old[] = "{\"a\":{\"text\":\"1\",\"sense\":\"minimize\"}}", new[] = "{\"a\":{\"text\":\"2\"}}";
    static char value[] = "{\"a\":1}", other[] = "{\"a\":2}";
    f->problem.template_metrics = old;
    int64_t run = fixture_begin(f, store);
    struct evaluation evaluation = fixture_success(100), failure = fixture_failure(OUTCOME_TIMEOUT, other);
    evaluation.metrics = value;
    int64_t first = fixture_put(f, store, run, "{\"P\":1}", evaluation);
    evaluation.metrics = NULL;
    int64_t second = fixture_put(f, store, run, "{\"P\":2}", evaluation);
    fixture_put(f, store, run, "{\"P\":3}", failure);

    assert_int_equal(stale(f, store, old), 1); /* the second has none */
    assert_int_equal(stale(f, store, new), 2);
    assert_int_equal(stale(f, store, ""), 2);
    assert_false(is_current(f, store, old, NULL));
    const struct store_metrics missing = {second, value};
    assert_true(store_metrics_put(store, "gemm", "aaaa", old, NULL, &missing, 1, &f->error));
    assert_int_equal(stale(f, store, old), 0);
    assert_true(is_current(f, store, old, NULL));
    assert_false(is_current(f, store, old, "a"));
    assert_false(is_current(f, store, new, NULL));
    assert_false(is_current(f, store, "", NULL));

    const struct store_metrics metrics[] = {{first, other}, {second, other}};
    assert_true(store_metrics_put(store, "gemm", "aaaa", new, "energy", metrics, 2, &f->error));
    assert_int_equal(stale(f, store, new), 0);
    assert_true(is_current(f, store, new, "energy"));
    assert_true(store_metrics_put(store, "gemm", "aaaa", "", NULL, NULL, 0, &f->error));
    assert_int_equal(stale(f, store, ""), 0);
    store_close(store);
    assert_string_equal(
        fixture_ask(f->path, "SELECT count(*) FROM template WHERE metrics IS NULL AND objective IS NULL"), "1");
}

static void losses_by_other_definitions_are_forgotten(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    f->problem.template_metrics = "{\"a\":{\"text\":\"1\",\"sense\":\"minimize\"}}";
    int64_t run = fixture_begin(f, store);
    int64_t first = fixture_put(f, store, run, "{\"P\":1}", fixture_success(100));
    int64_t second = fixture_put(f, store, run, "{\"P\":2}", fixture_success(110));
    char sql[256];
    for (int i = 0; i < 2; i++) {
        snprintf(sql, sizeof sql, "INSERT INTO verdict VALUES (%lld, '%s', %lld, 'lost')", (long long)second,
                 i ? "time" : "a", (long long)first);
        assert_int_equal(sqlite3_exec(store->sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
        char changed[64];
        snprintf(changed, sizeof changed, "{\"a\":{\"text\":\"%d\",\"sense\":\"minimize\"}}", 2 + i);
        assert_true(store_metrics_put(store, "gemm", "aaaa", changed, NULL, NULL, 0, &f->error));
        assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM verdict"), i ? "1" : "0");
    }
    store_close(store);
}

static void devices_are_described(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct device_description description;
    fixture_begin(f, store);
    assert_true(store_device_description(store, 1, &description, &f->error));
    assert_true(device_description_alike(&description, &f->device));
    assert_int_equal(description.warp_size, f->device.warp_size);
    assert_false(store_device_description(store, 99, &description, &f->error));
    assert_int_equal(f->error.code, ERROR_INPUT);
    assert_int_equal(sqlite3_exec(store->sqlite, "UPDATE device SET description = '{'", NULL, NULL, NULL), SQLITE_OK);
    assert_false(store_device_description(store, 1, &description, &f->error));
    assert_int_equal(f->error.code, ERROR_INPUT);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(stale_rows_are_found_and_put),
        unit(losses_by_other_definitions_are_forgotten),
        unit(devices_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
