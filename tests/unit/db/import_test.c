/* SPDX-License-Identifier: Apache-2.0 */
/* Imported results of other tools: what is kept, and that they never pass for our own. */
#include "fixture.h"

struct results {
    const struct store_import_row *rows;
    size_t fails_at;
};

static bool next_result(size_t index, struct store_import_row *row, void *context, struct error *error)
{
    const struct results *results = context;
    if (index == results->fails_at)
        return error_set(error, ERROR_INPUT, "no such result");
    *row = results->rows[index];
    return true;
}

static double samples[] = {2500.5, 2400.25};

static const struct store_import_row rows[] = {
    {"{\"T\":1}",
     "2023-12-22T09:54:05.502007Z",
     {.outcome = OUTCOME_OK,
      .message = "",
      .time_ns = 2450.375,
      .samples_ns = samples,
      .sample_count = 2,
      .error_ratio = -1,
      .energy_j = -1,
      .energy_error_j = -1,
      .throttled = -1,
      .resources = {.registers = -1, .local_bytes = -1, .shared_bytes = -1, .max_threads = -1, .occupancy = -1},
      .spill_bytes = -1,
      .state = {-1, -1, -1, -1, -1},
      .compile_seconds = 0.5,
      .validate_seconds = 0.25,
      .measure_seconds = 0.125,
      .framework_seconds = 0.0625}},
    {"{\"T\":2}",
     "2023-12-22T09:54:06.000000Z",
     {.outcome = OUTCOME_COMPILE_ERROR, .message = "CompilationFailedConfig", .energy_j = -1, .error_ratio = -1}},
};

static const struct store_import import = {"gemm", "/t/gemm_T4.json", "Imaginary 100", "M=1024,N=1024,K=1024", "",
                                           ""};

static void imported_rows_keep_samples_failures_and_times(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct results results = {rows, 9};
    assert_true(store_import(store, &import, 2, next_result, &results, &f->error));
    assert_true(store_import(store, &import, 2, next_result, &results,
                             &f->error)); /* importing again updates the same rows */
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(outcome || message || measured_at || origin, ' ') "
                                             "FROM (SELECT * FROM evaluation ORDER BY id)"),
                        "ok2023-12-22T09:54:05.502007Zimported "
                        "compile_errorCompilationFailedConfig2023-12-22T09:54:06.000000Zimported");
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT samples_ns || ' ' || time_ns || ' ' || compile_seconds || ' ' || "
                                    "validate_seconds || ' ' || measure_seconds || ' ' || framework_seconds "
                                    "FROM evaluation WHERE outcome = 'ok'"),
                        "[2500.5,2400.25] 2450.375 0.5 0.25 0.125 0.0625");
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT count(*) FROM evaluation WHERE registers IS NULL AND seed IS NULL "
                                    "AND outcome = 'ok' AND energy_j IS NULL AND error_ratio IS NULL"),
                        "1");
    assert_string_equal(fixture_ask(f->path, "SELECT template || origin || template_hash FROM best"),
                        "gemmimportedimported:gemm");
}

static bool count_row(const struct store_row *row, void *context)
{
    (void)row;
    ++*(int *)context;
    return true;
}

/* Kernel and device have the same names as ours, and the imported time is better. */
static void imported_rows_never_pass_for_measured_ones(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct results results = {rows, 9};
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"T\":1}", fixture_success(5000));
    assert_true(store_import(store, &import, 2, next_result, &results, &f->error));
    int finished = 0, found = 0;
    assert_true(store_finished(store, &f->problem, "time", NULL, count_row, &finished, &f->error));
    assert_int_equal(finished, 1);
    struct store_filter filter = {.template_name = f->problem.template_name,
                                  .template_hash = f->problem.template_hash};
    assert_true(store_best(store, &filter, count_row, &found, &f->error));
    assert_int_equal(found, 1);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(time_ms, ' ') FROM best WHERE origin = 'measured'"),
                        "0.005");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM best"), "2");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM device"), "2");
}

static void an_import_is_all_or_nothing(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct results results = {rows, 1};
    assert_false(store_import(store, &import, 2, next_result, &results, &f->error));
    assert_string_equal(f->error.text, "no such result");
    store_close(store);
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT (SELECT count(*) FROM evaluation) + (SELECT count(*) FROM device) "
                                    "+ (SELECT count(*) FROM template)"),
                        "0");
}

static void a_malformed_configuration_is_refused(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static const char *const wrong[] = {"", "[1]", "{\"T\":", "{\"T\":1}{}", "{\"T\":1,\"T\":2}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct store_import_row row = rows[0];
        struct results results = {&row, 1};
        row.configuration = wrong[i];
        assert_false(store_import(store, &import, 1, next_result, &results, &f->error));
        assert_non_null(strstr(f->error.text, "is not a JSON object"));
    }
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(imported_rows_keep_samples_failures_and_times),
        unit(imported_rows_never_pass_for_measured_ones),
        unit(an_import_is_all_or_nothing),
        unit(a_malformed_configuration_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
