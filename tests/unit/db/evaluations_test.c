/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <math.h>
#include <time.h>

enum { MOST = 32 };

/* Rows as they were handed out; texts are copied because they are the store's. */
struct seen {
    struct store_row rows[MOST];
    char texts[MOST][256]; /* template hash size configuration origin, with blanks between them */
    char messages[MOST][256];
    size_t count, limit;
};

static bool see(const struct store_row *row, void *context)
{
    struct seen *seen = context;
    assert_true(seen->count < MOST);
    seen->rows[seen->count] = *row;
    snprintf(seen->texts[seen->count], sizeof seen->texts[0], "%s %s %s %s %s %s", row->template_name,
             row->template_hash, row->device_name, row->size, row->configuration, row->origin);
    snprintf(seen->messages[seen->count], sizeof seen->messages[0], "%s", row->message);
    seen->count++;
    return seen->count != seen->limit;
}

static void see_finished(struct fixture *f, struct store *store, struct seen *seen)
{
    *seen = (struct seen){0};
    assert_true(store_finished(store, &f->problem, see, seen, &f->error));
}

static void see_best(struct fixture *f, struct store *store, struct store_filter filter, struct seen *seen)
{
    *seen = (struct seen){0};
    assert_true(store_best(store, &filter, see, seen, &f->error));
}

/* Two runs in one millisecond would not tell which version of a template is the latest. */
static void let_the_clock_move(void)
{
    struct timespec pause = {0, 3000000};
    nanosleep(&pause, NULL);
}

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
    assert_true(row->flops == 2147483648.0 && row->bytes == 12582912.0);
    assert_true(row->peak_flops == 60e12 && row->peak_bandwidth == 3e12 && row->error_ratio == 0.25);
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

/* Each sample as JSON has it: what reads back equal, in as few digits as printf needs for that. */
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
        samples[i] = i % 3 == 0   ? share * scale                            /* any bits */
                     : i % 3 == 1 ? round(share * scale * 1000) / 1000 + 0.5 /* few digits */
                                  : (double)(float)(share * scale) * 1e6;    /* as from milliseconds in a float */
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

static void what_is_not_known_is_null(void **state)
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

static void identity_is_all_but_uuid_space_and_some_megabytes(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(10));
    struct seen seen;
    strcpy(f->device.uuid, "GPU-2");
    f->problem.space_name = "full";
    f->problem.space_hash = "cccc";
    f->device.memory_bytes -= 50 << 20;
    see_finished(f, store, &seen);
    assert_int_equal(seen.count, 1);

    const struct device_description device = f->device;
    const struct store_problem problem = f->problem;
    for (int change = 0; change < 9; change++) {
        f->device = device;
        f->problem = problem;
        switch (change) {
        case 0:
            strcpy(f->device.kind, "cpu");
            break;
        case 1:
            strcpy(f->device.name, "Imaginary 200");
            break;
        case 2:
            strcpy(f->device.architecture, "sm_100");
            break;
        case 3:
            f->device.sm_count--;
            break;
        case 4:
            f->device.memory_bytes /= 2;
            break;
        case 5:
            strcpy(f->device.driver, "581.0");
            break;
        case 6:
            strcpy(f->device.compiler, "NVRTC 13.1");
            break;
        case 7:
            f->problem.template_hash = "aaab";
            break;
        case 8:
            f->problem.size = "M=1024,N=1024,K=1025";
            break;
        }
        see_finished(f, store, &seen);
        if (seen.count != 0)
            fail_msg("change %d does not count", change);
    }
    store_close(store);
}

static void a_visitor_can_stop(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"T\":1}", fixture_success(10));
    fixture_put(f, store, run, "{\"T\":2}", fixture_success(20));
    struct seen seen = {.limit = 1};
    assert_true(store_finished(store, &f->problem, see, &seen, &f->error));
    assert_int_equal(seen.count, 1);
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
    assert_false(store_reuse(store, fixture_begin(f, store), &id, 1, &f->error)); /* another problem's */
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(run || ':' || sequence || ':' || reused) FROM "
                                             "(SELECT * FROM run_evaluation ORDER BY run, sequence)"),
                        "1:1:0,2:1:1,2:2:0");
}

static void only_what_is_valid_is_best(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    char message[] = "";
    for (int outcome = 1; outcome < OUTCOME_COUNT; outcome++) {
        char configuration[32];
        snprintf(configuration, sizeof configuration, "{\"F\":%d}", outcome);
        struct evaluation evaluation = fixture_failure((enum outcome)outcome, message);
        evaluation.time_ns = 1;
        fixture_put(f, store, run, configuration, evaluation);
    }
    struct seen seen;
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_int_equal(seen.count, 0);
    fixture_put(f, store, run, "{\"T\":0}", fixture_success(0)); /* a clock that stood still */
    fixture_put(f, store, run, "{\"T\":1}", fixture_success(NAN));
    fixture_put(f, store, run, "{\"T\":2}", fixture_success(5e6));
    fixture_put(f, store, run, "{\"T\":3}", fixture_success(4e6));
    fixture_put(f, store, run, "{\"T\":4}", fixture_success(6e6));
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.texts[0], "gemm aaaa Imaginary 100 M=1024,N=1024,K=1024 {\"T\":3} measured");
    /* the best is measured again and now is wrong */
    fixture_put(f, store, run, "{\"T\":3}", fixture_failure(OUTCOME_WRONG_RESULT, message));
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 5e6);
    store_close(store);
}

static void put_one(struct fixture *f, struct store *store, const char *configuration, double time_ns)
{
    fixture_put(f, store, fixture_begin(f, store), configuration, fixture_success(time_ns));
}

/* gemm on two devices at two sizes, and sum. */
static void put_several(struct fixture *f, struct store *store)
{
    put_one(f, store, "{\"T\":1}", 10);
    f->problem.size = "M=512,N=512,K=512";
    f->problem.flops /= 8;
    put_one(f, store, "{\"T\":2}", 20);
    strcpy(f->device.kind, "cpu");
    strcpy(f->device.name, "Abacus");
    put_one(f, store, "{\"T\":3}", 30);
    f->problem.template_name = "sum";
    put_one(f, store, "{\"T\":4}", 40);
}

static void the_best_are_ordered_and_filtered(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put_several(f, store);
    struct seen seen;
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_int_equal(seen.count, 4);
    assert_string_equal(seen.texts[0], "gemm aaaa Abacus M=512,N=512,K=512 {\"T\":3} measured");
    assert_string_equal(seen.texts[1], "gemm aaaa Imaginary 100 M=512,N=512,K=512 {\"T\":2} measured");
    assert_string_equal(seen.texts[2], "gemm aaaa Imaginary 100 M=1024,N=1024,K=1024 {\"T\":1} measured");
    assert_string_equal(seen.texts[3], "sum aaaa Abacus M=512,N=512,K=512 {\"T\":4} measured");
    see_best(f, store, (struct store_filter){.template_name = "gemm"}, &seen);
    assert_int_equal(seen.count, 3);
    see_best(f, store, (struct store_filter){.device_name = "Abacus"}, &seen);
    assert_int_equal(seen.count, 2);
    see_best(f, store, (struct store_filter){.device_kind = "cuda"}, &seen);
    assert_int_equal(seen.count, 2);
    see_best(f, store, (struct store_filter){.device_kind = "cuda", .size = "M=512,N=512,K=512"}, &seen);
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 20);
    see_best(f, store, (struct store_filter){.template_hash = "zzzz"}, &seen);
    assert_int_equal(seen.count, 0);
    see_best(f, store, (struct store_filter){.template_name = "gemm' OR '1'='1"}, &seen);
    assert_int_equal(seen.count, 0);
    store_close(store);
}

static void the_version_that_was_used_last_answers(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct seen seen;
    put_one(f, store, "{\"T\":1}", 10);
    let_the_clock_move();
    f->problem.template_hash = "bbbb";
    int64_t run = fixture_begin(f, store);
    char message[] = "";
    fixture_put(f, store, run, "{\"T\":1}", fixture_failure(OUTCOME_FAULT, message));
    see_best(f, store, (struct store_filter){0}, &seen); /* the new version has nothing valid yet */
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 10);
    fixture_put(f, store, run, "{\"T\":2}", fixture_success(99));
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 99);
    see_best(f, store, (struct store_filter){.template_hash = "aaaa"}, &seen);
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 10);
    assert_string_equal(fixture_ask(f->path, "SELECT template_hash FROM best"), "bbbb");
    let_the_clock_move();
    f->problem.template_hash = "aaaa"; /* back again */
    fixture_begin(f, store);
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 10);
    assert_string_equal(fixture_ask(f->path, "SELECT template_hash FROM best"), "aaaa");
    store_close(store);
}

static void the_fastest_toolchain_is_best(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    put_one(f, store, "{\"T\":1}", 10);
    strcpy(f->device.driver, "581.0");
    put_one(f, store, "{\"T\":1}", 9);
    struct seen seen;
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 9);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT driver || ' ' || count(*) FROM best"), "581.0 1");
}

/* 2*1024^3 flops in 100 us are 21474.8 GFLOP/s, 35.8 % of 60 TFLOP/s; 12 MiB in 100 us are 125.8 GB/s, 4.2 % of 3
 * TB/s: the larger share counts. Without flops it is the bandwidth's; without peaks it is not known. */
static void the_view_computes_rates(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    static const char rates[] = "SELECT time_ms || ' ' || ifnull(gflops, '-') || ' ' || ifnull(percent_of_peak, '-') "
                                "|| ' ' || gbytes_per_second FROM best";
    put_one(f, store, "{\"T\":1}", 100e3);
    assert_string_equal(fixture_ask(f->path, rates), "0.1 21474.8 35.8 125.8");
    f->device.peak_flops = 0;
    f->device.peak_bandwidth = 0;
    put_one(f, store, "{\"T\":1}", 100e3);
    assert_string_equal(fixture_ask(f->path, rates), "0.1 21474.8 - 125.8");
    f->device.peak_flops = 60e12;
    f->device.peak_bandwidth = 3e12;
    f->problem.flops = 0;
    f->problem.size = "n=7";
    put_one(f, store, "{\"T\":1}", 1234567.8);
    assert_string_equal(fixture_ask(f->path, "SELECT time_ms || ' ' || ifnull(gflops, '-') || ' ' || percent_of_peak "
                                             "|| ' ' || gbytes_per_second FROM best WHERE size = 'n=7'"),
                        "1.2346 - 0.3 10.2");
    store_close(store);
}

static void what_is_no_configuration_is_refused(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store), id;
    struct evaluation evaluation = fixture_success(1);
    static const char *const wrong[] = {"", "[1]", "{\"T\":", "{\"T\":1}{}", "{\"T\":1,\"T\":2}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(store_put(store, run, wrong[i], &evaluation, &id, &f->error));
        assert_non_null(strstr(f->error.text, "is not a JSON object"));
    }
    assert_false(store_put(store, run + 1, "{}", &evaluation, &id, &f->error));
    assert_non_null(strstr(f->error.text, "no such run"));
    assert_true(store_put(store, run, "{}", &evaluation, &id, &f->error));
    store_close(store);
}

struct seen_runs {
    struct store_run_row rows[8];
    char texts[8][256];
    size_t count;
};

static bool see_run(const struct store_run_row *row, void *context)
{
    struct seen_runs *seen = context;
    seen->rows[seen->count] = *row;
    snprintf(seen->texts[seen->count++], sizeof seen->texts[0], "%s %s %s %s %s %s %s%s", row->template_name,
             row->space_name, row->size, row->device_name, row->device_kind, row->strategy, row->status,
             row->ended_at[0] ? " ended" : "");
    return true;
}

static void runs_are_listed_newest_first(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t first = fixture_begin(f, store);
    char message[] = "";
    fixture_put(f, store, first, "{\"T\":1}", fixture_failure(OUTCOME_FAULT, message));
    fixture_put(f, store, first, "{\"T\":2}", fixture_success(20));
    fixture_put(f, store, first, "{\"T\":3}", fixture_success(10));
    assert_true(store_run_end(store, first, "budget", &f->error));
    f->run.strategy = "random";
    int64_t second = fixture_begin(f, store);
    assert_false(store_run_end(store, second + 1, "done", &f->error));
    assert_non_null(strstr(f->error.text, "no such run"));

    struct seen_runs seen = {0};
    assert_true(store_runs(store, see_run, &seen, &f->error));
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.rows[0].id, second);
    assert_string_equal(seen.texts[0], "gemm joint M=1024,N=1024,K=1024 Imaginary 100 cuda random running");
    assert_true(seen.rows[0].evaluations == 0 && seen.rows[0].failures == 0 && seen.rows[0].best_ns == 0);
    assert_int_equal(seen.rows[1].id, first);
    assert_string_equal(seen.texts[1], "gemm joint M=1024,N=1024,K=1024 Imaginary 100 cuda exhaustive budget ended");
    assert_true(seen.rows[1].evaluations == 3 && seen.rows[1].failures == 1 && seen.rows[1].best_ns == 10);
    assert_true(seen.rows[1].configurations == 324);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT evaluations || ' ' || failures || ' ' || best_ms || ' ' || seed "
                                             "FROM runs WHERE run = 1"),
                        "3 1 1.0e-05 18446744073709551615");
}

/* Every statement that SCHEMA.md shows, in its order, on a database with something in it. */
static void the_documented_statements_run(void **state)
{
    struct fixture *f = *state;
    static char text[1 << 16], sql[1 << 16];
    size_t length = 0;
    text[fixture_read(TUNE_SOURCE_FOLDER "/db/SCHEMA.md", text, sizeof text - 1)] = '\0';
    char *rest = text;
    for (char *line = strsep(&rest, "\n"); line && strcmp(line, "## JSON documents") != 0;
         line = strsep(&rest, "\n")) {
        if (strncmp(line, "    ", 4) == 0)
            length += (size_t)snprintf(sql + length, sizeof sql - length, "%s\n", line);
    }
    assert_true(length > 500);
    f->problem.template_name = "mykernel";
    struct store *store = fixture_open(f);
    put_one(f, store, "{\"TILE_M\":64}", 10);
    char *message = NULL;
    if (sqlite3_exec(store->sqlite, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    store_close(store);
    /* the last one was: delete from template where name = 'mykernel' */
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT (SELECT count(*) FROM evaluation) + (SELECT count(*) FROM run) + "
                                    "(SELECT count(*) FROM problem) + (SELECT count(*) FROM run_evaluation)"),
                        "0");
}

/* The table of numbers, the statement that writes them and the struct agree: each number comes into its column. */
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
            fail_msg("%s is in another column", evaluation_numbers[i].column);
    }
    sqlite3_finalize(row);
    store_close(store);
}

/* The other way round: no column that the table of fields has forgotten. */
static void every_column_is_a_field(void **state)
{
#define NAME(name, document) #name,
    static const char *const others[] = {
        EVALUATION_TEXTS(NAME) "id", "problem", "configuration", "measured_at", "origin", "lost_to", "lost_by"};
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
            fail_msg("the column %s is missing in fields.h", name);
    }
    sqlite3_finalize(row);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_row_comes_back_as_it_went_in),
        unit(samples_keep_every_bit),
        unit(what_is_not_known_is_null),
        unit(the_same_configuration_is_one_row),
        unit(identity_is_all_but_uuid_space_and_some_megabytes),
        unit(a_visitor_can_stop),
        unit(reused_evaluations_are_marked),
        unit(only_what_is_valid_is_best),
        unit(the_best_are_ordered_and_filtered),
        unit(the_version_that_was_used_last_answers),
        unit(the_fastest_toolchain_is_best),
        unit(the_view_computes_rates),
        unit(what_is_no_configuration_is_refused),
        unit(runs_are_listed_newest_first),
        unit(the_documented_statements_run),
        unit(every_number_has_its_column),
        unit(every_column_is_a_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
