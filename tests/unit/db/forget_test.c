/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked for is forgotten, and nothing that makes another row best. */
#include "fixture.h"

#include "db/evaluations.h"
#include "db/forget.h"

struct counts {
    int64_t evaluations, failures, kept, in_use;
};

static bool add(const struct forget_row *row, void *context)
{
    struct counts *counts = context;
    counts->evaluations += row->evaluations;
    counts->failures += row->failures;
    counts->kept += row->kept;
    counts->in_use += row->in_use;
    return true;
}

static struct counts forget(struct fixture *f, struct store *store, struct forget_criteria criteria, bool dry_run)
{
    struct counts counts = {0};
    struct forget_rest rest;
    if (!store_forget(store, &criteria, dry_run, add, &counts, &rest, &f->error))
        fail_msg("%s", f->error.text);
    return counts;
}

/* The configurations that are left: "1 2 4". */
static const char *left(struct fixture *f)
{
    return fixture_ask(f->path, "SELECT coalesce(group_concat(p, ' '), '') FROM (SELECT json_extract(configuration, "
                                "'$.P') AS p FROM evaluation ORDER BY id)");
}

static void set(struct store *store, const char *sql)
{
    if (sqlite3_exec(store->sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(store->sqlite));
}

static int64_t put(struct fixture *f, struct store *store, int64_t run, int p, double time_ns, double energy_j)
{
    char configuration[32], message[] = "wrong";
    snprintf(configuration, sizeof configuration, "{\"P\":%d}", p);
    struct evaluation evaluation =
        time_ns > 0 ? fixture_success(time_ns) : fixture_failure(OUTCOME_WRONG_RESULT, message);
    evaluation.energy_j = energy_j;
    return fixture_put(f, store, run, configuration, evaluation);
}

static void end(struct fixture *f, struct store *store, int64_t run)
{
    assert_true(store_run_end(store, run, "done", &f->error));
}

/*
 * A sweep of six: 1 fails, 2 is the slowest, 3 needs the least energy, 4 won the finals against 5, which a single
 * measurement had made seem faster, and 6 took no part.
 */
static struct store *fill(struct fixture *f)
{
    static const double rounds[] = {100};
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store), ids[7];
    const double times[] = {0, 0, 500, 400, 110, 90, 95}, joules[] = {0, 0, 9, 1, 5, 6, 7};
    for (int p = 1; p <= 6; p++)
        ids[p] = put(f, store, run, p, times[p], joules[p]);
    const struct store_final finals[] = {
        {.evaluation_id = ids[4], .time_ns = 100, .energy_j = -1, .ratio = 1, .rounds_ns = rounds, .round_count = 1},
        {.evaluation_id = ids[5],
         .time_ns = 120,
         .energy_j = -1,
         .ratio = 1.2,
         .rounds_ns = rounds,
         .round_count = 1},
    };
    if (!store_finals_put(store, run, finals, 2, &f->error))
        fail_msg("%s", f->error.text);
    end(f, store, run);
    set(store, "INSERT INTO dispatch (template, device, toolchain, inputs, objective, made_at, document) VALUES "
               "(1, 1, 1, '', 'time', '2026-01-01T00:00:00.000Z', '{}')");
    return store;
}

static void the_best_and_its_finalists_stay(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f);
    for (int dry_run = 1; dry_run >= 0; dry_run--) {
        struct counts counts = forget(f, store, (struct forget_criteria){.template_name = "gemm"}, dry_run);
        assert_int_equal(counts.evaluations, 3);
        assert_int_equal(counts.failures, 1);
        assert_int_equal(counts.kept, 3);
        assert_string_equal(left(f), dry_run ? "1 2 3 4 5 6" : "3 4 5");
    }
    assert_string_equal(fixture_ask(f->path, "SELECT configuration FROM best"), "{\"P\":4}");
    assert_string_equal(fixture_ask(f->path, "SELECT configuration FROM best_by_energy"), "{\"P\":3}");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM finals"), "2");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM dispatch"), "1");
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
}

static void all_goes_with_what_it_belonged_to(void **state)
{
    static const char *const tables[] = {"evaluation", "run_evaluation", "final",     "verdict", "run",  "dispatch",
                                         "problem",    "template",       "toolchain", "device",  "space"};
    struct fixture *f = *state;
    struct store *store = fill(f);
    struct counts counts = {0};
    struct forget_rest rest;
    const struct forget_criteria criteria = {.device_name = "Imaginary 100", .best_too = true};
    assert_true(store_forget(store, &criteria, false, add, &counts, &rest, &f->error));
    assert_int_equal(counts.evaluations, 6);
    assert_int_equal(rest.runs, 1);
    assert_int_equal(rest.trees, 1);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char sql[64];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", tables[i]);
        assert_string_equal(fixture_ask(f->path, sql), "0");
    }
    assert_false(store_forget(store, &criteria, false, add, &counts, &rest, &f->error));
    assert_error(f, "has no such results");
    store_close(store);
}

/* An imported file may have a tree and no results. */
static void a_tree_without_results_goes_with_the_best(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f);
    struct counts counts = {0};
    struct forget_rest rest;
    set(store,
        "UPDATE dispatch SET origin = 'imported'; DELETE FROM evaluation; DELETE FROM run; DELETE FROM problem");
    struct forget_criteria criteria = {.template_name = "gemm"};
    assert_false(store_forget(store, &criteria, false, add, &counts, &rest, &f->error));
    assert_error(f, "only trees over sizes");
    criteria.best_too = true;
    criteria.device_name = "another";
    assert_false(store_forget(store, &criteria, false, add, &counts, &rest, &f->error));
    assert_error(f, "has no such results");
    criteria.device_name = "Imaginary 100";
    assert_true(store_forget(store, &criteria, true, add, &counts, &rest, &f->error));
    assert_int_equal(rest.trees, 1);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM dispatch"), "1");
    assert_true(store_forget(store, &criteria, false, add, &counts, &rest, &f->error));
    assert_int_equal(rest.trees, 1);
    assert_int_equal(counts.evaluations, 0);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM dispatch"), "0");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM template"), "0");
    store_close(store);
}

/* Nor need it have any of one's own: these are shipped. */
static void a_tree_goes_where_all_rows_stay(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f);
    struct counts counts = {0};
    struct forget_rest rest;
    const struct forget_criteria criteria = {.template_name = "gemm", .best_too = true};
    set(store, "UPDATE dispatch SET origin = 'imported'; UPDATE evaluation SET origin = 'shipped'");
    assert_true(store_forget(store, &criteria, false, add, &counts, &rest, &f->error));
    assert_int_equal(rest.trees, 1);
    assert_int_equal(counts.evaluations, 0);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM dispatch"), "0");
    assert_string_equal(left(f), "1 2 3 4 5 6");
    store_close(store);
}

static void only_failures_go(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f);
    struct counts counts = forget(f, store, (struct forget_criteria){.failed = true, .best_too = true}, false);
    assert_int_equal(counts.evaluations, 1);
    assert_string_equal(left(f), "2 3 4 5 6");
    store_close(store);
}

static void only_other_devices_stay(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f);
    strcpy(f->device.name, "Another 200");
    int64_t run = fixture_begin(f, store);
    put(f, store, run, 7, 50, 0);
    end(f, store, run);
    const struct forget_criteria another = {.device_name = "Another 200", .device_kind = "cuda", .best_too = true};
    assert_int_equal(forget(f, store, another, false).evaluations, 1);
    assert_string_equal(left(f), "1 2 3 4 5 6");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(name) FROM device"), "Imaginary 100");
    store_close(store);
}

/* 4, old, is not best any more, but 5 lost to it: without it 5 would be. */
static void an_old_winner_stays_for_those_that_lost_to_it(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f);
    int64_t run = fixture_begin(f, store);
    put(f, store, run, 8, 99, 0.5);
    end(f, store, run);
    set(store, "UPDATE evaluation SET measured_at = '2020-01-01T00:00:00.000Z' WHERE configuration IN "
               "('{\"P\":1}', '{\"P\":2}', '{\"P\":4}')");
    set(store, "UPDATE evaluation SET time_ns = 80 WHERE configuration = '{\"P\":5}'");
    const struct forget_criteria old = {.older_than = 86400};
    struct counts counts = forget(f, store, old, false);
    assert_int_equal(counts.evaluations, 2);
    assert_int_equal(counts.kept, 1);
    assert_string_equal(left(f), "3 4 5 6 8");
    assert_string_equal(fixture_ask(f->path, "SELECT configuration FROM best"), "{\"P\":8}");
    store_close(store);
}

/* 5 lost to 4, and 4 to 8, which is not best either: without 8 the fast 4 would be best. */
static void who_beat_an_old_winner_stays_as_well(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f);
    int64_t run = fixture_begin(f, store);
    put(f, store, run, 8, 99, 9);
    put(f, store, run, 9, 50, 0.5);
    end(f, store, run);
    set(store, "UPDATE verdict SET result = 'lost', winner = (SELECT id FROM evaluation WHERE configuration = "
               "'{\"P\":8}') WHERE objective = 'time' AND evaluation = winner");
    set(store, "UPDATE evaluation SET time_ns = 40 WHERE configuration = '{\"P\":4}'");
    set(store, "UPDATE evaluation SET measured_at = '2020-01-01T00:00:00.000Z' WHERE configuration IN "
               "('{\"P\":1}', '{\"P\":4}', '{\"P\":8}')");
    assert_int_equal(forget(f, store, (struct forget_criteria){.older_than = 86400}, false).evaluations, 1);
    assert_string_equal(left(f), "2 3 4 5 6 8 9");
    assert_string_equal(fixture_ask(f->path, "SELECT configuration FROM best"), "{\"P\":9}");
    store_close(store);
}

static void what_is_shipped_or_in_use_stays(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f);
    set(store, "UPDATE evaluation SET origin = 'shipped' WHERE configuration = '{\"P\":2}'");
    int64_t running = fixture_begin(f, store);
    const struct forget_criteria all = {.template_name = "gemm", .best_too = true};
    struct counts counts = forget(f, store, all, false);
    assert_int_equal(counts.evaluations, 0);
    assert_int_equal(counts.in_use, 5);
    assert_string_equal(left(f), "1 2 3 4 5 6");
    end(f, store, running);
    assert_int_equal(forget(f, store, all, false).evaluations, 5);
    assert_string_equal(left(f), "2");
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(the_best_and_its_finalists_stay),
        unit(a_tree_without_results_goes_with_the_best),
        unit(a_tree_goes_where_all_rows_stay),
        unit(all_goes_with_what_it_belonged_to),
        unit(only_failures_go),
        unit(only_other_devices_stay),
        unit(an_old_winner_stays_for_those_that_lost_to_it),
        unit(who_beat_an_old_winner_stays_as_well),
        unit(what_is_shipped_or_in_use_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
