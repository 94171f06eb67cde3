/* SPDX-License-Identifier: Apache-2.0 */
#include "seen_rows.h"

#include "db/evaluations.h"

static void a_row_comes_back_as_it_went_in(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    double samples[] = {2000.5, 1999.25, 0.1, 123456789.123};
    struct evaluation evaluation = fixture_success(2000.5);
    evaluation.samples_ns = samples;
    evaluation.sample_count = 4;
    int64_t id = fixture_put(f, store, run, "{\"V\":\"joint\",\"T\":64}", evaluation);

    struct seen seen;
    see_finished(f, store, &seen);
    assert_int_equal(seen.count, 1);
    const struct store_row *row = &seen.rows[0];
    assert_int_equal(row->id, id);
    assert_string_equal(seen.texts[0],
                        "gemm aaaa Imaginary 100 M=1024,N=1024,K=1024 {\"V\":\"joint\",\"T\":64} measured");
    assert_int_equal(row->outcome, OUTCOME_OK);
    assert_true(row->time_ns == 2000.5 && row->time_low_ns == 2000.5 * 0.99 && row->time_high_ns == 2000.5 * 1.01);
    assert_true(row->work.flops == 2147483648.0 && row->work.bytes == 12582912.0);
    assert_true(row->error_ratio == 0.25);
    assert_int_equal(row->device, 1);
    assert_int_equal(row->registers, 128);
    assert_int_equal(row->local_bytes, 0);
    assert_int_equal(row->spill_bytes, -1);
    assert_int_equal(row->shared_bytes, 16384);
    assert_true(row->occupancy == 0.5);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT samples_ns FROM evaluation"),
                        "[2000.5,1999.25,0.1,123456789.123]");
    assert_string_equal(fixture_ask(f->path, "SELECT sm_clock_mhz || ' ' || memory_clock_mhz || ' ' || temperature_c "
                                             "|| ' ' || power_mw || ' ' || throttle_reasons || ' ' || max_threads "
                                             "|| ' ' || compile_seconds || ' ' || validate_seconds || ' ' || "
                                             "measure_seconds FROM evaluation"),
                        "1980 2619 41 512000 0 512 0.25 0.5 0.125");
    assert_string_equal(fixture_ask(f->path, "SELECT measured_at LIKE '____-__-__T__:__:__.___Z' AND "
                                             "abs(julianday('now') - julianday(measured_at)) < 0.01 FROM evaluation"),
                        "1");
}

enum { SAMPLES = 20000 };

/* Each sample as JSON: the fewest printf digits that read back equal. */
static bool see_samples(const struct store_recorded_row *row, void *context)
{
    const double *samples = context;
    const char *at = row->samples_ns;
    for (size_t i = 0; i < SAMPLES; i++) {
        char shortest[320], *end;
        int digits = 15;
        do
            snprintf(shortest, sizeof shortest, "%.*g", digits++, samples[i]);
        while (strtod(shortest, NULL) != samples[i]);
        bool equal = strtod(++at, &end) == samples[i];
        size_t most = strlen(shortest) + (strpbrk(shortest, ".e") ? 0 : strlen(".0"));
        if (!equal || (size_t)(end - at) > most)
            assert_string_equal(at, shortest);
        at = end;
    }
    assert_string_equal(at, "]");
    return true;
}

static void samples_keep_every_bit(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    double *samples = calloc(SAMPLES, sizeof *samples);
    uint64_t random = 1;
    for (size_t i = 0; samples && i < SAMPLES; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        double share = (double)(random >> 11) * 0x1p-53 + 0x1p-54;
        double scale = pow(10, (double)(i % 20) - 2);
        samples[i] = i % 3 == 0   ? share * scale                            /* arbitrary bits */
                     : i % 3 == 1 ? round(share * scale * 1000) / 1000 + 0.5 /* few digits */
                                  : (double)(float)(share * scale) * 1e6; /* converted from milliseconds in a float */
    }
    assert_non_null(samples);
    struct evaluation evaluation = fixture_success(1);
    evaluation.samples_ns = samples;
    evaluation.sample_count = SAMPLES;
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", evaluation);
    assert_true(store_recorded(store, see_samples, samples, &f->error));
    store_close(store);
    free(samples);
}

static void unknown_values_are_null(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    char message[] = "it's \"broken\"; DROP TABLE run; --";
    fixture_put(f, store, run, "{\"T\":1}", fixture_failure(OUTCOME_COMPILE_ERROR, message));
    struct seen seen;
    see_finished(f, store, &seen);
    assert_int_equal(seen.rows[0].outcome, OUTCOME_COMPILE_ERROR);
    assert_string_equal(seen.messages[0], message);
    assert_int_equal(seen.rows[0].registers, -1);
    assert_true(seen.rows[0].time_ns == 0 && seen.rows[0].occupancy == -1 && seen.rows[0].error_ratio == -1);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM evaluation WHERE coalesce(time_ns, samples_ns, "
                                             "error_ratio, registers, occupancy, power_mw) IS NULL"),
                        "1");
}

static void the_same_configuration_is_one_row(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    char message[] = "did not end";
    int64_t first = fixture_put(f, store, run, "{\"T\":1}", fixture_failure(OUTCOME_TIMEOUT, message));
    int64_t other = fixture_put(f, store, run, "{\"T\":2}", fixture_success(10));
    assert_int_equal(fixture_put(f, store, run, "{\"T\":1}", fixture_success(20)), first);
    assert_int_not_equal(first, other);
    int64_t second_run = fixture_begin(f, store);
    assert_int_equal(fixture_put(f, store, second_run, "{\"T\":1}", fixture_success(30)), first);
    struct seen seen;
    see_finished(f, store, &seen);
    assert_int_equal(seen.count, 2);
    assert_true(seen.rows[0].time_ns == 30 && seen.rows[0].outcome == OUTCOME_OK);
    assert_string_equal(seen.messages[0], "");
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(run || ':' || sequence || ':' || evaluation) FROM "
                                             "(SELECT * FROM run_evaluation ORDER BY run, sequence)"),
                        "1:1:1,1:2:2,2:1:1");
}

static void expect_row(struct fixture *f, const char *expected)
{
    assert_string_equal(fixture_ask(f->path, "SELECT outcome || ' ' || coalesce(transient, '-') || ' ' || message "
                                             "FROM evaluation"),
                        expected);
}

/* A failure that may not recur is stored as such, but replaces nothing that is known. */
static void a_transient_failure_replaces_no_result(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    char killed[] = "Killed", again[] = "Killed again", wrong[] = "wrong";
    struct evaluation transient = fixture_failure(OUTCOME_CRASH, killed), wrong_result;
    transient.transient = 1;
    int64_t id = fixture_put(f, store, run, "{\"T\":1}", transient);
    expect_row(f, "crash 1 Killed");
    transient.message = again;
    assert_int_equal(fixture_put(f, store, run, "{\"T\":1}", transient), id);
    expect_row(f, "crash 1 Killed again");
    wrong_result = fixture_failure(OUTCOME_WRONG_RESULT, wrong);
    assert_int_equal(fixture_put(f, store, run, "{\"T\":1}", wrong_result), id);
    expect_row(f, "wrong_result - wrong");
    assert_int_equal(fixture_put(f, store, run, "{\"T\":1}", transient), id);
    expect_row(f, "wrong_result - wrong");
    assert_int_equal(fixture_put(f, store, run, "{\"T\":1}", fixture_success(20)), id);
    assert_int_equal(fixture_put(f, store, run, "{\"T\":1}", transient), id);
    expect_row(f, "ok - ");
    struct seen seen;
    see_finished(f, store, &seen);
    assert_int_equal(seen.rows[0].transient, 0);
    store_close(store);
}

static void reused_evaluations_are_marked(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t id = fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(10));
    int64_t run = fixture_begin(f, store);
    assert_true(store_reuse(store, run, &id, 1, &f->error));
    assert_true(store_reuse(store, run, &id, 1, &f->error));
    fixture_put(f, store, run, "{\"T\":2}", fixture_success(20));
    assert_false(store_reuse(store, run, (const int64_t[]){id, id + 100}, 2, &f->error));
    assert_non_null(strstr(f->error.text, "no such evaluation"));
    f->problem.size = "M=1,N=1,K=1";
    assert_false(store_reuse(store, fixture_begin(f, store), &id, 1, &f->error)); /* belongs to another problem */
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(run || ':' || sequence || ':' || reused) FROM "
                                             "(SELECT * FROM run_evaluation ORDER BY run, sequence)"),
                        "1:1:0,2:1:1,2:2:0");
}

static void a_row_without_a_run_is_refused(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store), id;
    struct evaluation evaluation = fixture_success(1);
    assert_false(store_put(store, run + 1, "{}", &evaluation, &id, &f->error));
    assert_non_null(strstr(f->error.text, "no such run"));
    assert_true(store_put(store, run, "{}", &evaluation, &id, &f->error));
    store_close(store);
}

/* One that is refused takes none of the others with it. */
static void rows_that_arrive_together_are_committed_together(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    struct evaluation evaluation = fixture_success(2000);
    assert_true(store_rows_begin(store, &f->error));
    fixture_put(f, store, run, "{\"T\":1}", evaluation);
    assert_false(store_put(store, run + 1, "{\"T\":9}", &evaluation, NULL, &f->error));
    fixture_put(f, store, run, "{\"T\":2}", evaluation);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM evaluation"), "0");
    assert_true(store_rows_end(store, &f->error));
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(configuration) FROM evaluation"),
                        "{\"T\":1},{\"T\":2}");
    fixture_put(f, store, run, "{\"T\":3}", evaluation);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM run_evaluation"), "3");
    store_close(store);
}

static void a_row_that_cannot_be_written_leaves_those_of_its_transaction(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    struct evaluation evaluation = fixture_success(2000);
    fixture_ask(f->path, "CREATE UNIQUE INDEX one ON evaluation (time_ns)");
    assert_true(store_rows_begin(store, &f->error));
    fixture_put(f, store, run, "{\"T\":1}", evaluation);
    assert_false(store_put(store, run, "{\"T\":2}", &evaluation, NULL, &f->error));
    assert_non_null(strstr(f->error.text, "UNIQUE"));
    assert_true(store_rows_end(store, NULL));
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(configuration) FROM evaluation"), "{\"T\":1}");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM run_evaluation"), "1");
}

/* Its evaluation can be written, its place in the run cannot. */
static void a_row_that_is_half_written_takes_those_of_its_transaction_with_it(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    struct evaluation evaluation = fixture_success(2000);
    fixture_put(f, store, run, "{\"T\":1}", evaluation);
    fixture_ask(f->path, "CREATE UNIQUE INDEX one ON run_evaluation (reused) WHERE sequence > 1");
    assert_true(store_rows_begin(store, &f->error));
    fixture_put(f, store, run, "{\"T\":2}", evaluation);
    assert_false(store_put(store, run, "{\"T\":3}", &evaluation, NULL, &f->error));
    assert_non_null(strstr(f->error.text, "UNIQUE"));
    assert_false(store_rows_end(store, NULL));
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(configuration) FROM evaluation"), "{\"T\":1}");
    assert_true(store_rows_begin(store, &f->error));
    fixture_put(f, store, run, "{\"T\":4}", evaluation);
    assert_true(store_rows_end(store, &f->error));
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(configuration) FROM evaluation"),
                        "{\"T\":1},{\"T\":4}");
}

/* The table of numbers, the statement that writes them and the struct agree: each number lands in its column. */
static void every_number_has_its_column(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct evaluation evaluation = {.outcome = OUTCOME_OK};
    for (size_t i = 0; i < evaluation_number_count; i++) {
        char *at = (char *)&evaluation + evaluation_numbers[i].offset;
        double real = (double)(i + 1);
        int64_t integer = (int64_t)(i + 1);
        memcpy(at, evaluation_numbers[i].integer ? (void *)&integer : (void *)&real, 8);
    }
    fixture_put(f, store, fixture_begin(f, store), "{}", evaluation);
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_prepare_v2(store->sqlite, "SELECT * FROM evaluation", -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    for (size_t i = 0; i < evaluation_number_count; i++) {
        int column = 0;
        while (column < sqlite3_column_count(row) &&
               strcmp(sqlite3_column_name(row, column), evaluation_numbers[i].column) != 0)
            column++;
        if (sqlite3_column_double(row, column) != (double)(i + 1))
            fail_msg("%s is in the wrong column", evaluation_numbers[i].column);
    }
    sqlite3_finalize(row);
    store_close(store);
}

/* The reverse: no column is missing from the table of fields. */
static void every_column_is_a_field(void **state)
{
#define NAME(name, document) #name,
    static const char *const others[] = {EVALUATION_TEXTS(NAME) "id", "problem", "configuration", "measured_at",
                                         "origin"};
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    sqlite3_stmt *row;
    assert_int_equal(sqlite3_prepare_v2(store->sqlite, "SELECT * FROM evaluation", -1, &row, NULL), SQLITE_OK);
    for (int column = 0; column < sqlite3_column_count(row); column++) {
        const char *name = sqlite3_column_name(row, column);
        bool known = false;
        for (size_t i = 0; i < evaluation_number_count; i++)
            known = known || strcmp(name, evaluation_numbers[i].column) == 0;
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            known = known || strcmp(name, others[i]) == 0;
        if (!known)
            fail_msg("the column %s is missing from fields.h", name);
    }
    sqlite3_finalize(row);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_row_comes_back_as_it_went_in),
        unit(samples_keep_every_bit),
        unit(unknown_values_are_null),
        unit(the_same_configuration_is_one_row),
        unit(a_transient_failure_replaces_no_result),
        unit(reused_evaluations_are_marked),
        unit(a_row_without_a_run_is_refused),
        unit(rows_that_arrive_together_are_committed_together),
        unit(a_row_that_cannot_be_written_leaves_those_of_its_transaction),
        unit(a_row_that_is_half_written_takes_those_of_its_transaction_with_it),
        unit(every_number_has_its_column),
        unit(every_column_is_a_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
