/* SPDX-License-Identifier: Apache-2.0 */
/* Files of earlier versions keep their rows when upgraded. */
#include "first_row.h"

#include "db/migrate.h"

/* A version 1 file, as written by the first release. */
static void a_version_one_file_is_upgraded(void **state)
{
    struct fixture *f = *state;
    struct store old = {.path = f->path, .patience_ms = 1000};
    assert_int_equal(sqlite3_open(f->path, &old.sqlite), SQLITE_OK);
    assert_true(migrate(&old, store_migrations, 1, &f->error));
    static const char rows[] =
        "INSERT INTO device VALUES (1, 'cuda', 'Imaginary 100', 'sm_90', 132, 79, 'GPU-1', 60e12, 3e12, '{}');"
        "INSERT INTO toolchain VALUES (1, '580.1', 'NVRTC 13.0');"
        "INSERT INTO template VALUES (1, 'gemm', 'aaaa', '/t', '2026-01-01T00:00:00.000Z');"
        "INSERT INTO space VALUES (1, 'joint', 'bbbb', 'space joint of gemm');"
        "INSERT INTO problem VALUES (1, 1, 1, 1, 'M=1024,N=1024,K=1024', 2e9, 1e7);"
        "INSERT INTO run VALUES (1, 1, 1, 'exhaustive', '', 'time', '1', 2, '0.1.0', 'h', "
        "'2026-01-01T00:00:00.000Z', "
        "NULL, 'running'), (2, 1, 1, 'random', '', 'time', '1', 2, '0.1.0', 'h', '2026-01-01T00:00:00.000Z', "
        "'2026-01-01T00:01:00.000Z', 'done');"
        "INSERT INTO evaluation (id, problem, configuration, outcome, time_ns, samples_ns, measured_at, origin) "
        "VALUES "
        "(1, 1, '{\"T\":1}', 'ok', 2000, '[2000]', '2026-01-01T00:00:30.000Z', 'measured'), "
        "(2, 1, '{\"T\":2}', 'ok', 1000, '[1000]', '2026-01-01T00:00:40.000Z', 'measured');"
        "INSERT INTO run_evaluation VALUES (1, 1, 1, 0), (2, 1, 2, 0);"
        "INSERT INTO image VALUES (1, 2, 3, x'00');";
    assert_int_equal(sqlite3_exec(old.sqlite, rows, NULL, NULL, NULL), SQLITE_OK);
    store_disconnect(&old);

    struct store *store = fixture_open(f);
    struct store_row row = look_up(f, store, 2, "{\"T\":1}");
    assert_true(row.time_ns == 2000 && row.energy_j == 0 && !row.was_final && row.verdict == VERDICT_NONE);
    expect_best(f, store, NULL, "{\"T\":2}");
    expect_best(f, store, "energy", NULL);
    int64_t run = fixture_begin(f, store);
    assert_int_equal(fixture_put(f, store, run, "{\"T\":3}", fixture_success(500)), 3);
    expect_best(f, store, NULL, "{\"T\":3}");
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "PRAGMA user_version"), "16");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(status) FROM (SELECT status FROM run ORDER BY id)"),
                        "interrupted,done,running");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM sqlite_master WHERE name = 'image'"), "0");
    assert_string_equal(fixture_ask(f->path, "PRAGMA integrity_check"), "ok");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
}

/* A version 2 file, with finals and losses that refer to evaluations. */
static void a_version_two_file_keeps_references_to_its_rows(void **state)
{
    struct fixture *f = *state;
    struct store old = {.path = f->path, .patience_ms = 1000};
    assert_int_equal(sqlite3_open(f->path, &old.sqlite), SQLITE_OK);
    assert_int_equal(sqlite3_exec(old.sqlite, "PRAGMA foreign_keys = ON", NULL, NULL, NULL), SQLITE_OK);
    assert_true(migrate(&old, store_migrations, 2, &f->error));
    static const char rows[] =
        "INSERT INTO device VALUES (1, 'cuda', 'Imaginary 100', 'sm_90', 132, 79, 'GPU-1', 60e12, 3e12, '{}');"
        "INSERT INTO toolchain VALUES (1, '580.1', 'NVRTC 13.0');"
        "INSERT INTO template VALUES (1, 'gemm', 'aaaa', '/t', '2026-01-01T00:00:00.000Z');"
        "INSERT INTO space VALUES (1, 'joint', 'bbbb', 'space joint of gemm');"
        "INSERT INTO problem VALUES (1, 1, 1, 1, 'M=1', 2e9, 1e7);"
        "INSERT INTO run (id, problem, space, strategy, seed, configurations, tune_version, started_at, status) "
        "VALUES (1, 1, 1, 'exhaustive', '1', 2, '0.1.0', '2026-01-01T00:00:00.000Z', 'done');"
        "INSERT INTO evaluation (id, problem, configuration, outcome, message, time_ns, energy_j, uuid, seed, "
        "measured_at, origin, lost_to, lost_by) VALUES "
        "(7, 1, '{\"T\":1}', 'ok', '', 2000, 0.5, 'GPU-1', '42', '2026-01-01T00:00:30.000Z', 'measured', NULL, "
        "NULL), "
        "(9, 1, '{\"T\":2}', 'ok', 'm', 1000, 0.7, NULL, NULL, '2026-01-01T00:00:40.000Z', 'shipped', 7, 'time');"
        "INSERT INTO run_evaluation VALUES (1, 1, 7, 0), (1, 2, 9, 0);"
        "INSERT INTO final (run, place, evaluation, tied, time_ns, rounds_ns) VALUES (1, 1, 7, 0, 2000, '[]'), "
        "(1, 2, 9, 0, 2500, '[]');"
        "INSERT INTO image VALUES (1, 7, 3, x'00');";
    assert_int_equal(sqlite3_exec(old.sqlite, rows, NULL, NULL, NULL), SQLITE_OK);
    store_disconnect(&old);

    struct store *store = fixture_open(f);
    expect_best(f, store, NULL, "{\"T\":1}"); /* the faster one lost to it */
    store_close(store);
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT group_concat(id || message || energy_j || coalesce(uuid, '-') || "
                                    "coalesce(seed, '-') || origin, ' ') "
                                    "FROM (SELECT * FROM evaluation ORDER BY id)"),
                        "70.5GPU-142measured 9m0.7--shipped");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(evaluation || objective || winner || result, ' ') "
                                             "FROM (SELECT * FROM verdict ORDER BY evaluation)"),
                        "7time7winner 9time7lost");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(evaluation_id || result) FROM finals"),
                        "7winner,9lost");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM run_evaluation"), "2");
    assert_string_equal(fixture_ask(f->path, "PRAGMA integrity_check"), "ok");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
    assert_string_equal(
        fixture_ask(
            f->path,
            "SELECT count(*) FROM sqlite_master WHERE sql LIKE '%evaluation_3%' OR sql LIKE '%evaluation_9%'"),
        "0");
    store = fixture_open(f); /* deleting from the new table still cascades */
    assert_int_equal(sqlite3_exec(store->sqlite, "DELETE FROM evaluation WHERE id = 7", NULL, NULL, NULL), SQLITE_OK);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT (SELECT count(*) FROM final) || "
                                             "(SELECT count(*) FROM verdict)"),
                        "10");
}

/* A version 4 file does not tell which failures may not recur: those that could be such are marked. */
static void doubtful_failures_of_older_files_are_marked(void **state)
{
    struct fixture *f = *state;
    struct store old = {.path = f->path, .patience_ms = 1000};
    assert_int_equal(sqlite3_open(f->path, &old.sqlite), SQLITE_OK);
    assert_true(migrate(&old, store_migrations, 4, &f->error));
    static const char rows[] =
        "INSERT INTO device VALUES (1, 'cuda', 'Imaginary 100', 'sm_90', 132, 79, 'GPU-1', 60e12, 3e12, '{}');"
        "INSERT INTO toolchain VALUES (1, '580.1', 'NVRTC 13.0');"
        "INSERT INTO template VALUES (1, 'gemm', 'aaaa', '/t', '2026-01-01T00:00:00.000Z');"
        "INSERT INTO problem VALUES (1, 1, 1, 1, 'M=1', 2e9, 1e7);"
        "INSERT INTO evaluation (problem, configuration, outcome, message, measured_at, origin) VALUES "
        "(1, '{\"T\":1}', 'ok', '', '2026', 'measured'), (1, '{\"T\":2}', 'compile_crash', 'Killed', '2026', "
        "'measured'), "
        "(1, '{\"T\":3}', 'crash', 'Killed', '2026', 'measured'), (1, '{\"T\":4}', 'memory', '', '2026', "
        "'measured'), "
        "(1, '{\"T\":5}', 'compile_error', 'vfork: Resource temporarily unavailable', '2026', 'measured'), "
        "(1, '{\"T\":6}', 'compile_error', 'k.cu:1: error: no', '2026', 'measured'), "
        "(1, '{\"T\":7}', 'fault', '', '2026', 'measured'), (1, '{\"T\":8}', 'crash', '', '2026', 'imported')";
    assert_int_equal(sqlite3_exec(old.sqlite, rows, NULL, NULL, NULL), SQLITE_OK);
    store_disconnect(&old);
    store_close(fixture_open(f));
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(coalesce(transient, '-'), '') FROM "
                                             "(SELECT transient FROM evaluation ORDER BY configuration)"),
                        "-1111---");
}

/* A version 5 file: what its rows do not say is not known, and the view of limits goes by the data sheet. */
static void a_version_five_file_has_no_other_work(void **state)
{
    struct fixture *f = *state;
    struct store old = {.path = f->path, .patience_ms = 1000};
    assert_int_equal(sqlite3_open(f->path, &old.sqlite), SQLITE_OK);
    assert_true(migrate(&old, store_migrations, 5, &f->error));
    static const char rows[] =
        "INSERT INTO device VALUES (1, 'cuda', 'Imaginary 100', 'sm_90', 132, 79, 'GPU-1', 60e12, 3e12, '{}');"
        "INSERT INTO toolchain VALUES (1, '580.1', 'NVRTC 13.0');"
        "INSERT INTO template VALUES (1, 'gemm', 'aaaa', '/t', '2026-01-01T00:00:00.000Z');"
        "INSERT INTO problem VALUES (1, 1, 1, 1, 'M=1', 30e9, 1e7);"
        "INSERT INTO evaluation (problem, configuration, outcome, time_ns, flops, measured_at, origin) VALUES "
        "(1, '{\"T\":1}', 'ok', 1e6, 6e9, '2026', 'measured');";
    assert_int_equal(sqlite3_exec(old.sqlite, rows, NULL, NULL, NULL), SQLITE_OK);
    store_disconnect(&old);
    store_close(fixture_open(f));
    assert_string_equal(fixture_ask(f->path, "SELECT flops || ' ' || (coalesce(special_ops, shared_traffic, "
                                             "integer_ops) IS NULL) FROM evaluation"),
                        "6000000000.0 1");
    assert_string_equal(
        fixture_ask(f->path, "SELECT group_concat(figure || ' ' || source || ' ' || rate) FROM ceilings"),
        "flops data sheet 60000000000000.0,bytes data sheet 3000000000000.0");
    assert_string_equal(fixture_ask(f->path, "SELECT percent_of_peak || ' ' || limit_name || ' ' || limit_source "
                                             "FROM best"),
                        "10.0 fp32 data sheet"); /* 6 GFLOP take 0.1 ms at 60 TFLOP/s */
}

/* A version 8 file: who lost and who won is known by the objective of the run, unless a row was measured again. */
static void verdicts_of_a_version_eight_file_are_kept(void **state)
{
    struct fixture *f = *state;
    struct store old = {.path = f->path, .patience_ms = 1000};
    assert_int_equal(sqlite3_open(f->path, &old.sqlite), SQLITE_OK);
    assert_true(migrate(&old, store_migrations, 8, &f->error));
    static const char rows[] =
        "INSERT INTO device (id, kind, name, architecture, sm_count, memory_gib, description) VALUES "
        "(1, 'cuda', 'Imaginary 100', 'sm_90', 132, 79, '{}');"
        "INSERT INTO toolchain VALUES (1, '580.1', 'NVRTC 13.0');"
        "INSERT INTO template (id, name, hash, path, used_at, metrics, objective) VALUES (1, 'gemm', 'aaaa', '/t', "
        "'2026', '{\"rate\":{\"text\":\"1 / time\",\"sense\":\"maximize\"}}', 'rate');"
        "INSERT INTO space VALUES (1, 'joint', 'bbbb', 'space joint of gemm');"
        "INSERT INTO problem (id, template, device, toolchain, size) VALUES (1, 1, 1, 1, 'M=1');"
        "INSERT INTO run (id, problem, space, strategy, objective, seed, configurations, tune_version, started_at, "
        "status) VALUES "
        "(1, 1, 1, 'random', NULL, '1', 5, '0', '2026', 'done'), (2, 1, 1, 'random', 'rate', '1', 5, '0', '2026', "
        "'done');"
        "INSERT INTO evaluation (id, problem, configuration, outcome, time_ns, metrics, awkward, measured_at, "
        "origin, "
        "lost_to, lost_by) VALUES "
        "(1, 1, '{\"T\":1}', 'ok', 10, '{\"rate\":5}', 'M=7', '2026', 'measured', NULL, NULL), "
        "(2, 1, '{\"T\":2}', 'ok', 9, '{\"rate\":7}', '', '2026', 'measured', 1, 'time'), "
        "(3, 1, '{\"T\":3}', 'ok', 8, '{\"rate\":9}', '', '2026', 'measured', 4, 'rate'), "
        "(4, 1, '{\"T\":4}', 'ok', 20, '{\"rate\":8}', '', '2026', 'measured', NULL, NULL), "
        "(5, 1, '{\"T\":5}', 'ok', 7, '{\"rate\":1}', '', '2026', 'measured', 1, 'time');"
        "INSERT INTO final (run, place, evaluation, tied, time_ns, rounds_ns) VALUES (1, 1, 1, 0, 10, '[]'), "
        "(1, 2, 2, 1, 9, '[]'), (2, 1, 4, 0, 21, '[]'), (2, 2, 3, 0, 8, '[]'), (2, 3, 5, 1, 7, '[]');";
    assert_int_equal(sqlite3_exec(old.sqlite, rows, NULL, NULL, NULL), SQLITE_OK);
    store_disconnect(&old);
    struct store *store = fixture_open(f);
    expect_best(f, store, "time", "{\"T\":3}");
    expect_best(f, store, NULL, "{\"T\":4}");
    store_close(store);
    /* the fourth has been measured again; the fifth was in no finals by time */
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(evaluation || objective || winner || result, ' ') "
                                             "FROM (SELECT * FROM verdict ORDER BY evaluation)"),
                        "1time1winner 2time1tied 3rate4lost 5time1outside");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(awkward || json_extract(metrics, '$.rate'), ' ') "
                                             "FROM (SELECT * FROM evaluation ORDER BY id)"),
                        "M=75 7 9 8 1");
    assert_string_equal(fixture_ask(f->path, "SELECT configuration || value FROM best_by_objective"), "{\"T\":4}8");
    assert_string_equal(fixture_ask(f->path, "PRAGMA integrity_check"), "ok");
}

/* A version 12 file, whose trees are all one's own. */
static void trees_of_a_version_twelve_file_are_kept(void **state)
{
    struct fixture *f = *state;
    struct store old = {.path = f->path, .patience_ms = 1000};
    assert_int_equal(sqlite3_open(f->path, &old.sqlite), SQLITE_OK);
    assert_true(migrate(&old, store_migrations, 12, &f->error));
    static const char rows[] =
        "INSERT INTO device (id, kind, name, architecture, sm_count, memory_gib, description) VALUES "
        "(1, 'cuda', 'Imaginary 100', 'sm_90', 132, 79, '{}');"
        "INSERT INTO toolchain VALUES (1, '580.1', 'NVRTC 13.0');"
        "INSERT INTO template (id, name, hash, path, used_at) VALUES (1, 'gemm', 'aaaa', '/t', '2026');"
        "INSERT INTO dispatch VALUES (5, 1, 1, 1, 'x=01', 'energy', '2026-01-02', '{}');";
    assert_int_equal(sqlite3_exec(old.sqlite, rows, NULL, NULL, NULL), SQLITE_OK);
    store_disconnect(&old);
    store_close(fixture_open(f));
    assert_string_equal(fixture_ask(f->path,
                                    "SELECT id || ' ' || template || device || toolchain || ' ' || inputs || ' ' || "
                                    "objective || ' ' || made_at || ' ' || document || ' ' || origin FROM dispatch"),
                        "5 111 x=01 energy 2026-01-02 {} measured");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
}

/* All objects of a database. */
static const char objects[] =
    "SELECT group_concat(type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, ''), char(10)) FROM "
    "(SELECT * FROM sqlite_master %s ORDER BY type, name)";

static char *objects_of(struct store *store, const char *condition)
{
    char sql[256];
    sqlite3_stmt *statement;
    snprintf(sql, sizeof sql, objects, condition);
    assert_int_equal(sqlite3_prepare_v2(store->sqlite, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    char *text = strdup((const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    assert_non_null(text);
    return text;
}

static void assert_same_objects(struct store *one, struct store *other, const char *condition)
{
    char *expected = objects_of(one, condition), *text = objects_of(other, condition);
    assert_string_equal(text, expected);
    free(text);
    free(expected);
}

/* A new database is what one becomes that has taken every step; one of our own is the same without views. */
static void a_new_file_has_the_schema_of_an_old_one(void **state)
{
    struct fixture *f = *state;
    struct store *new_file, *private;
    struct store old = {.path = f->path, .patience_ms = 1000};
    assert_int_equal(sqlite3_open(f->path, &old.sqlite), SQLITE_OK);
    assert_true(migrate(&old, store_migrations, store_migration_count, &f->error));
    char path[160];
    snprintf(path, sizeof path, "%s/new.db", f->folder);
    assert_true(store_open(path, false, &new_file, &f->error));
    assert_true(store_open_private("ours", &private, &f->error));
    assert_same_objects(&old, new_file, "");
    assert_same_objects(&old, private, "WHERE type <> 'view'");
    char *views = objects_of(&old, "WHERE type = 'view'");
    assert_true(strlen(views) > 1000);
    free(views);
    store_disconnect(&old);
    store_close(new_file);
    store_close(private);
    assert_string_equal(fixture_ask(path, "PRAGMA user_version"), fixture_ask(f->path, "PRAGMA user_version"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_version_one_file_is_upgraded),
        unit(a_version_two_file_keeps_references_to_its_rows),
        unit(doubtful_failures_of_older_files_are_marked),
        unit(a_version_five_file_has_no_other_work),
        unit(verdicts_of_a_version_eight_file_are_kept),
        unit(trees_of_a_version_twelve_file_are_kept),
        unit(a_new_file_has_the_schema_of_an_old_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
