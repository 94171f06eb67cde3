/* SPDX-License-Identifier: Apache-2.0 */
/* The best rows, filtered and ordered, and the views that show them. */
#include "seen_rows.h"

static void a_visitor_can_stop(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"T\":1}", fixture_success(10));
    fixture_put(f, store, run, "{\"T\":2}", fixture_success(20));
    struct seen seen = {.limit = 1};
    assert_true(store_finished(store, &f->problem, "time", NULL, see, &seen, &f->error));
    assert_int_equal(seen.count, 1);
    store_close(store);
}

static void only_valid_rows_are_best(void **state)
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
    fixture_put(f, store, run, "{\"T\":0}", fixture_success(0)); /* a stopped clock */
    fixture_put(f, store, run, "{\"T\":1}", fixture_success(NAN));
    fixture_put(f, store, run, "{\"T\":2}", fixture_success(5e6));
    fixture_put(f, store, run, "{\"T\":3}", fixture_success(4e6));
    fixture_put(f, store, run, "{\"T\":4}", fixture_success(6e6));
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_int_equal(seen.count, 1);
    assert_string_equal(seen.texts[0], "gemm aaaa Imaginary 100 M=1024,N=1024,K=1024 {\"T\":3} measured");
    /* the best is remeasured and is now wrong */
    fixture_put(f, store, run, "{\"T\":3}", fixture_failure(OUTCOME_WRONG_RESULT, message));
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 5e6);
    store_close(store);
}

/* SQLite takes a text for more than any number, so that one passes for a time. */
static void a_text_is_no_time(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"T\":1}", fixture_success(10));
    fixture_put(f, store, run, "{\"T\":2}", fixture_success(20));
    fixture_ask(f->path,
                "UPDATE evaluation SET time_ns = 'soon', registers = 'many', occupancy = '0.5 or so' WHERE id = 1");
    struct seen seen;
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_int_equal(seen.count, 1);
    assert_true(seen.rows[0].time_ns == 20);
    fixture_ask(f->path, "UPDATE evaluation SET time_ns = 'soon', registers = 'many', occupancy = '0.5 or so'");
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_int_equal(seen.count, 0);
    see_finished(f, store, &seen);
    assert_int_equal(seen.count, 0);
    fixture_ask(f->path, "UPDATE evaluation SET time_ns = 7 WHERE id = 1");
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_int_equal(seen.count, 1);
    assert_true(seen.rows[0].registers == -1 && seen.rows[0].occupancy == -1);
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
    f->problem.work.flops /= 8;
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

static void the_most_recently_used_version_answers(void **state)
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
    see_best(f, store, (struct store_filter){0}, &seen); /* the new version has no valid row yet */
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 10);
    fixture_put(f, store, run, "{\"T\":2}", fixture_success(99));
    see_best(f, store, (struct store_filter){0}, &seen);
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 99);
    see_best(f, store, (struct store_filter){.template_hash = "aaaa"}, &seen);
    assert_true(seen.count == 1 && seen.rows[0].time_ns == 10);
    assert_string_equal(fixture_ask(f->path, "SELECT template_hash FROM best"), "bbbb");
    let_the_clock_move();
    f->problem.template_hash = "aaaa"; /* back to the old version */
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
 * TB/s: the larger share counts. Without flops the bandwidth's share counts; without peaks it is unknown. */
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
    f->problem.work.flops = 0;
    f->problem.size = "n=7";
    put_one(f, store, "{\"T\":1}", 1234567.8);
    assert_string_equal(fixture_ask(f->path, "SELECT time_ms || ' ' || ifnull(gflops, '-') || ' ' || percent_of_peak "
                                             "|| ' ' || gbytes_per_second FROM best WHERE size = 'n=7'"),
                        "1.2346 - 0.3 10.2");
    store_close(store);
}

static bool see_work(const struct store_row *row, void *context)
{
    char *text = context;
    size_t used = strlen(text);
    snprintf(text + used, 100 - used, "%g %g;", row->work.flops, row->work.bytes);
    return true;
}

/* 1 Gflop in 100 us are 10000 GFLOP/s, 16.7 % of 60 TFLOP/s, and at 2 J 0.5 GFLOP/s/W. */
static void a_row_has_its_own_work_or_the_problems(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct evaluation evaluation = fixture_success(100e3);
    char seen[100] = "";
    f->problem.work.flops = 5e9;
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"T\":0}", fixture_success(200e3));
    evaluation.work.flops = 1e9;
    evaluation.energy_j = 2;
    fixture_put(f, store, run, "{\"T\":1}", evaluation);
    assert_true(store_finished(store, &f->problem, "time", NULL, see_work, seen, &f->error));
    assert_string_equal(seen, "5e+09 1.25829e+07;1e+09 1.25829e+07;");
    store_close(store);
    assert_string_equal(
        fixture_ask(f->path, "SELECT gflops || ' ' || percent_of_peak || ' ' || gbytes_per_second FROM best"),
        "10000.0 16.7 125.8");
    assert_string_equal(fixture_ask(f->path, "SELECT gflops || ' ' || gflops_per_watt FROM best_by_energy"),
                        "10000.0 0.5");
}

static void probe(struct fixture *f, struct store *store, const char *configuration, double time_ns, struct work work)
{
    struct evaluation evaluation = fixture_success(time_ns);
    int64_t run = fixture_begin(f, store);
    evaluation.work = work;
    fixture_put(f, store, run, configuration, evaluation);
}

static const char ceilings_sql[] =
    "SELECT group_concat(limit_name || ' ' || CAST(rate * 1e-9 AS INTEGER) || ' ' || unit || ' ' || source, '; ') "
    "FROM ceilings";
static const char share_sql[] =
    "SELECT percent_of_peak || ' ' || limit_name || ' ' || limit_source FROM best WHERE template = 'gemm'";

/* Data sheet: 60 TFLOP/s, 3 TB/s, 4 T special functions a second. The limit that binds counts, by the best rate that
 * a probe of the latest version reached. 1 GFLOP takes 16.7 us at 60 TFLOP/s, 0.2 G special functions 50 us at 4 T/s.
 */
static void the_limit_that_binds(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    f->device.peak_special = 4e12;
    f->device.peak_shared = f->device.peak_integer = 0;
    f->problem.work = (struct work){0};
    probe(f, store, "{\"T\":1}", 100e3, (struct work){.flops = 1e9, .special_ops = 0.2e9});
    assert_string_equal(fixture_ask(f->path, share_sql), "50.0 special-function data sheet");
    f->problem.template_name = "ceilings";
    f->problem.template_hash = "old";
    probe(f, store, "{\"P\":1}", 100e3, (struct work){.special_ops = 1e12});
    f->problem.template_hash = "new";
    probe(f, store, "{\"P\":2}", 100e3, (struct work){.special_ops = 0.2e9});
    probe(f, store, "{\"P\":3}", 50e3, (struct work){.special_ops = 0.125e9});
    probe(f, store, "{\"P\":4}", 100e3, (struct work){.integer_ops = 1e9});
    assert_string_equal(
        fixture_ask(f->path, ceilings_sql),
        "fp32 60000 FLOP/s data sheet; memory 3000 B/s data sheet; special-function 2500 op/s measured; "
        "integer 10000 op/s measured");
    assert_string_equal(fixture_ask(f->path, share_sql), "80.0 special-function measured");
    f->problem.template_name = "gemm";
    f->problem.template_hash = "aaaa";
    probe(f, store, "{\"T\":1}", 100e3, (struct work){.flops = 6e9, .special_ops = 0.2e9});
    assert_string_equal(fixture_ask(f->path, share_sql), "100.0 fp32 data sheet");
    store_close(store);
}

/* What a row was asked to be validated at comes back; where none says, that comes back. */
static bool see_awkward(const struct store_row *row, void *context)
{
    char *text = context;
    size_t used = strlen(text);
    snprintf(text + used, 100 - used, "%s %g;", row->awkward, row->deadline_seconds);
    return true;
}

static void validated_sizes_and_deadlines(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    char sizes[] = "n=7", none[] = "", seen[100] = "";
    struct evaluation evaluation = fixture_failure(OUTCOME_TIMEOUT, none);
    int64_t run = fixture_begin(f, store);
    evaluation.deadline_seconds = 2.5;
    fixture_put(f, store, run, "{\"T\":0}", evaluation);
    evaluation.awkward = none;
    fixture_put(f, store, run, "{\"T\":1}", evaluation);
    evaluation.awkward = sizes;
    evaluation.deadline_seconds = 0;
    fixture_put(f, store, run, "{\"T\":2}", evaluation);
    assert_true(store_finished(store, &f->problem, "time", NULL, see_awkward, seen, &f->error));
    assert_string_equal(seen, STORE_AWKWARD_UNKNOWN " 2.5; 2.5;n=7 0;");
    store_close(store);
}

/* Run every statement in SCHEMA.md, in order, on a populated database. */
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
    store_close(store);
    sqlite3 *sqlite; /* as a user's shell opens it: the program's own connection reads no views of the file */
    char *message = NULL;
    assert_int_equal(sqlite3_open(f->path, &sqlite), SQLITE_OK);
    if (sqlite3_exec(sqlite, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(sqlite), SQLITE_OK);
    /* the last one was: delete from template where name = 'mykernel' */
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT (SELECT count(*) FROM evaluation) + (SELECT count(*) FROM run) + "
                                    "(SELECT count(*) FROM problem) + (SELECT count(*) FROM run_evaluation)"),
                        "0");
}

/* The best of each value, or combination of values; the filters hold as ever. */
static void the_best_of_each_rung(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"V\":\"naive\",\"S\":0}", fixture_success(90));
    fixture_put(f, store, run, "{\"V\":\"naive\",\"S\":1}", fixture_success(80));
    fixture_put(f, store, run, "{\"V\":\"tiled\",\"S\":0}", fixture_success(30));
    fixture_put(f, store, run, "{\"V\":\"tiled\",\"S\":1}", fixture_success(40));
    fixture_put(f, store, run, "{\"S\":1}", fixture_success(50));
    f->problem.size = "M=1,N=1,K=1";
    run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"V\":\"tiled\",\"S\":1}", fixture_success(4));
    struct seen seen;
    static const char *const names[] = {"V", "S"};
    see_best(f, store, (struct store_filter){.rungs = names, .rung_count = 1, .size = "M=1024,N=1024,K=1024"}, &seen);
    assert_int_equal(seen.count, 3);
    double times[3], wanted[] = {30, 50, 80};
    for (size_t i = 0; i < 3; i++)
        times[i] = seen.rows[i].time_ns;
    for (size_t i = 0; i < 3; i++) /* in any order */
        assert_true(times[0] == wanted[i] || times[1] == wanted[i] || times[2] == wanted[i]);
    see_best(f, store, (struct store_filter){.rungs = names, .rung_count = 2}, &seen);
    assert_int_equal(seen.count, 6);
    see_best(f, store, (struct store_filter){.rungs = names, .rung_count = 1, .template_name = "other"}, &seen);
    assert_int_equal(seen.count, 0);
    see_best(f, store, (struct store_filter){.rungs = names, .rung_count = 1, .objective = "energy"}, &seen);
    assert_int_equal(seen.count, 0); /* not measured */
    store_close(store);
}

/* A rung's best may have lost the finals to a winner on another; but not a row that a single measurement made seem
 * faster than the winner of its own. */
static void finals_decide_within_a_rung(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    int64_t winner = fixture_put(f, store, run, "{\"V\":\"tiled\",\"T\":1}", fixture_success(20));
    fixture_put(f, store, run, "{\"V\":\"tiled\",\"T\":2}", fixture_success(19));
    int64_t loser = fixture_put(f, store, run, "{\"V\":\"naive\",\"T\":1}", fixture_success(21));
    fixture_put(f, store, run, "{\"V\":\"naive\",\"T\":2}", fixture_success(60));
    const double rounds[] = {20, 20};
    const struct store_final finals[] = {
        {.evaluation_id = winner, .tied = true, .time_ns = 20, .ratio = 1, .rounds_ns = rounds, .round_count = 2},
        {.evaluation_id = loser, .time_ns = 22, .ratio = 1.1, .rounds_ns = rounds, .round_count = 2},
    };
    assert_true(store_finals_put(store, run, finals, 2, &f->error));
    static const char *const names[] = {"V"};
    struct seen seen;
    see_best(f, store, (struct store_filter){.rungs = names, .rung_count = 1}, &seen);
    assert_int_equal(seen.count, 2);
    double first = seen.rows[0].time_ns, second = seen.rows[1].time_ns;
    assert_true((first == 20 && second == 22) || (first == 22 && second == 20));
    store_close(store);
}

/* Asked about a version of a template, which may define what no sweep has used yet. */
static void an_objective_may_be_new(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct seen seen = {.limit = MOST};
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(1000));
    struct store_filter filter = {.template_name = "gemm", .template_hash = "aaaa", .objective = "rate"};
    assert_true(store_best(store, &filter, see, &seen, &f->error));
    assert_int_equal(seen.count, 0);
    filter.template_hash = NULL;
    assert_false(store_best(store, &filter, see, &seen, &f->error));
    assert_error(f, "there is no objective rate");
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_visitor_can_stop),
        unit(only_valid_rows_are_best),
        unit(a_text_is_no_time),
        unit(the_best_are_ordered_and_filtered),
        unit(the_most_recently_used_version_answers),
        unit(the_fastest_toolchain_is_best),
        unit(the_view_computes_rates),
        unit(a_row_has_its_own_work_or_the_problems),
        unit(the_limit_that_binds),
        unit(validated_sizes_and_deadlines),
        unit(the_best_of_each_rung),
        unit(finals_decide_within_a_rung),
        unit(an_objective_may_be_new),
        unit(the_documented_statements_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
