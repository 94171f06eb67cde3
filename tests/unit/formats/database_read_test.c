/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/recording_fixture.h"

#include "tuner/formats/database_read.h"

static void test_database(void **state)
{
    struct fixture *f = *state;
    double samples[] = {900, 1100};
    struct store *store = fixture_open(f);
    f->problem.template_metrics = "{\"rate\":{\"text\":\"a\",\"sense\":\"maximize\"}}";
    f->problem.template_objective = "rate";
    int64_t run = fixture_begin(f, store);
    struct evaluation success = fixture_success(1000);
    static char metrics[] = "{\"rate\":1.5}";
    success.energy_j = 0.5;
    success.metrics = metrics;
    success.samples_ns = samples;
    success.sample_count = 2;
    fixture_put(f, store, run, "{\"V\":\"a\",\"X\":1}", success);
    fixture_put(f, store, run, "{\"V\":\"b\",\"Y\":2}", fixture_failure(OUTCOME_FAULT, (char[]){"illegal address"}));
    f->problem.size = "M=1,N=1,K=1";
    run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"V\":\"a\",\"X\":4}", fixture_success(3000));
    store_close(store);

    struct recordings recordings = {0};
    if (!recordings_read(f->path, &recordings, &f->error))
        fail_msg("%s", f->error.text);
    assert_int_equal(recordings.count, 2);
    const struct recording *first = recordings.items[0];
    assert_string_equal(first->name, "gemm M=1024,N=1024,K=1024 on Imaginary 100");
    assert_string_equal(first->kernel, "gemm");
    assert_string_equal(first->device, "Imaginary 100");
    assert_string_equal(first->size, "M=1024,N=1024,K=1024");
    assert_string_equal(first->definitions, f->problem.template_metrics);
    assert_string_equal(first->objective, "rate");
    assert_string_equal(first->results[0].metrics, metrics);
    assert_near(first->results[0].energy_j, 0.5, 0);
    assert_int_equal(first->count, 2);
    assert_int_equal(first->parameter_count, 3);
    static const uint16_t rows[] = {0, 0, 0, 1, 1, 1};
    assert_memory_equal(first->rows, rows, sizeof rows);
    assert_int_equal(first->parameters[1].values[1].kind, VALUE_UNSET);
    assert_near(first->results[0].time_ns, 1000, 0);
    assert_near(recorded_cost(&first->results[0]), 0.875, 1e-12);
    assert_int_equal(first->results[0].sample_count, 2);
    assert_near(first->results[0].samples_ns[1], 1100, 0);
    assert_int_equal(first->results[1].outcome, OUTCOME_FAULT);
    assert_string_equal(first->results[1].message, "illegal address");
    assert_int_equal(recordings.items[1]->count, 1);
    recordings_clear(&recordings);
}

static void test_empty_database(void **state)
{
    struct fixture *f = *state;
    store_close(fixture_open(f));
    struct recordings recordings = {0};
    assert_false(recordings_read(f->path, &recordings, &f->error));
    assert_error(f, "no evaluations");
}

/* As a program does that minds no constraints. */
static void damage(const char *path, const char *assignment, size_t index)
{
    char sql[256];
    sqlite3 *sqlite;
    snprintf(sql, sizeof sql,
             "PRAGMA ignore_check_constraints = ON; UPDATE evaluation SET %s WHERE configuration = '{\"V\":%zu}'",
             assignment, index);
    assert_int_equal(sqlite3_open(path, &sqlite), SQLITE_OK);
    assert_int_equal(sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_changes(sqlite), 1);
    sqlite3_close(sqlite);
}

/* A row that another program damaged is left out. */
static void test_damaged_row(void **state)
{
    static const char *const damages[] = {
        "configuration = '{\"V\":'",
        "configuration = '[]'",
        "time_ns = NULL",
        "time_ns = 0",
        "time_ns = -1",
        "compile_seconds = -1",
        "validate_seconds = -1",
        "measure_seconds = -1",
        "framework_seconds = -1",
    };
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        char configuration[32];
        snprintf(configuration, sizeof configuration, "{\"V\":%zu}", i);
        fixture_put(f, store, run, configuration, fixture_success(1000));
    }
    fixture_put(f, store, run, "{\"V\":\"whole\"}", fixture_success(2000));
    store_close(store);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++)
        damage(f->path, damages[i], i);
    struct recordings recordings = {0};
    assert_true(database_read(f->path, &recordings, &f->error));
    assert_int_equal(recordings.count, 1);
    assert_int_equal(recordings.items[0]->count, 1);
    assert_near(recordings.items[0]->results[0].time_ns, 2000, 0);
    recordings_clear(&recordings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(test_database),
        unit(test_empty_database),
        unit(test_damaged_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
