/* SPDX-License-Identifier: Apache-2.0 */
/* Databases joined in a new one. */
#include "fixture.h"

#include "db/migrate.h"
#include "tests/unit/expect.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

struct desk {
    struct fixture *f;
    char a[160], b[160], c[160], d[160];
};

static struct desk set_up(struct fixture *f)
{
    struct desk desk = {.f = f};
    snprintf(desk.a, sizeof desk.a, "%s/a.db", f->folder);
    snprintf(desk.b, sizeof desk.b, "%s/b.db", f->folder);
    snprintf(desk.c, sizeof desk.c, "%s/c.db", f->folder);
    snprintf(desk.d, sizeof desk.d, "%s/d.db", f->folder);
    return desk;
}

static struct store *open_at(struct fixture *f, const char *path)
{
    struct store *store;
    assert_success(store_open(path, false, &store, &f->error), &f->error);
    return store;
}

static void change(const char *path, const char *sql)
{
    sqlite3 *sqlite;
    char *message = NULL;
    assert_int_equal(sqlite3_open_v2(path, &sqlite, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    if (sqlite3_exec(sqlite, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    sqlite3_close(sqlite);
}

static struct store_merge_count merged[2];

static void merge(struct desk *desk, const char *one, const char *other, const char *target)
{
    const char *const sources[] = {one, other};
    assert_success(store_merge(sources, 2, target, NULL, merged, &desk->f->error), &desk->f->error);
}

/* Everything in a database, each value as SQLite quotes it. */
static int add_values(void *out, int count, char **values, char **names)
{
    (void)names;
    for (int i = 0; i < count; i++)
        fprintf(out, "%s|", values[i] ? values[i] : "NULL");
    fputc('\n', out);
    return 0;
}

static char *contents(const char *path, size_t *empty)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    sqlite3 *sqlite;
    sqlite3_stmt *tables;
    *empty = 0;
    assert_int_equal(sqlite3_open_v2(path, &sqlite, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(sqlite,
                                        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE "
                                        "'sqlite%' ORDER BY name",
                                        -1, &tables, NULL),
                     SQLITE_OK);
    while (sqlite3_step(tables) == SQLITE_ROW) {
        char sql[128];
        fprintf(out, "-- %s\n", sqlite3_column_text(tables, 0));
        long before = ftell(out);
        snprintf(sql, sizeof sql, "SELECT * FROM %s ORDER BY 1, 2", sqlite3_column_text(tables, 0));
        assert_int_equal(sqlite3_exec(sqlite, sql, add_values, out, NULL), SQLITE_OK);
        fflush(out);
        *empty += ftell(out) == before;
    }
    sqlite3_finalize(tables);
    sqlite3_close(sqlite);
    fclose(out);
    return text;
}

static void expect_equal(const char *one, const char *other)
{
    size_t empty;
    char *first = contents(one, &empty), *second = contents(other, &empty);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static const char definitions[] = "{\"rate\":{\"text\":\"T / time\",\"sense\":\"maximize\"}}";
static const double rounds[] = {101, 103.5};

/* A run of two configurations, of which the second wins the finals. */
static int64_t sweep(struct fixture *f, struct store *store, double time_ns)
{
    struct evaluation first = fixture_success(time_ns), second = fixture_success(time_ns + 1);
    first.metrics = second.metrics = (char[]){"{\"rate\":2}"};
    f->problem.template_metrics = definitions;
    int64_t run = fixture_begin(f, store);
    int64_t a = fixture_put(f, store, run, "{\"T\":\"A\"}", first),
            b = fixture_put(f, store, run, "{\"T\":\"B\"}", second);
    const struct store_final finals[] = {
        {b, false, time_ns, time_ns - 1, time_ns + 1, -1, -1, 1, 1, 1, rounds, 2, NULL, 0},
        {a, false, time_ns + 2, time_ns + 1, time_ns + 3, -1, -1, 1.1, 1, 1.2, rounds, 2, NULL, 0}};
    assert_success(store_finals_put(store, run, finals, 2, &f->error), &f->error);
    assert_success(store_run_end(store, run, "done", &f->error), &f->error);
    return run;
}

/* Every table has rows, and no column of theirs is unknown. */
static void fill(struct fixture *f, const char *path)
{
    struct store *store = open_at(f, path);
    f->problem.input_files = "x = x.npy";
    sweep(f, store, 100);
    store_close(store);
    change(path, "CREATE TEMP TABLE alike AS SELECT * FROM run; UPDATE alike SET id = NULL; INSERT INTO run SELECT * "
                 "FROM alike"); /* two that began at the same moment */
    change(
        path,
        "INSERT INTO known_file VALUES ('0123', 'gemm.json', '2026-01-01');"
        "INSERT INTO online SELECT 1, template, device, toolchain, size, inputs, '{}', '{}', 1, 5, 6, 7, '[]', "
        "'2026-01-03' FROM problem;"
        "INSERT INTO dispatch SELECT 1, template, device, toolchain, inputs, 'time', '2026-01-02', '{}', 'imported' "
        "FROM problem");
    sqlite3 *sqlite;
    sqlite3_stmt *columns;
    assert_int_equal(sqlite3_open_v2(path, &sqlite, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(
        sqlite3_prepare_v2(sqlite,
                           "SELECT printf('UPDATE %s SET %s = ''%s'' || rowid WHERE %s IS NULL', t.name, "
                           "c.name, c.name, c.name) FROM sqlite_master AS t, pragma_table_info(t.name) AS "
                           "c WHERE t.type = 'table' AND t.name IN ('device', 'template', 'problem', "
                           "'run', 'evaluation')",
                           -1, &columns, NULL),
        SQLITE_OK);
    while (sqlite3_step(columns) == SQLITE_ROW)
        assert_int_equal(sqlite3_exec(sqlite, (const char *)sqlite3_column_text(columns, 0), NULL, NULL, NULL),
                         SQLITE_OK);
    sqlite3_finalize(columns);
    sqlite3_close(sqlite);
}

static void nothing_is_lost_and_nothing_is_there_twice(void **state)
{
    struct desk desk = set_up(*state);
    size_t empty;
    fill(desk.f, desk.a);
    char *all = contents(desk.a, &empty);
    assert_int_equal(empty, 0); /* a table that is new must be filled here, and merged */
    assert_null(strstr(all, "NULL"));
    free(all);
    merge(&desk, desk.a, desk.a, desk.c);
    expect_equal(desk.a, desk.c);
    assert_int_equal(merged[0].evaluations.added, 2);
    assert_int_equal(merged[1].evaluations.rows, 2);
    assert_int_equal(merged[1].evaluations.added, 0);
    assert_int_equal(merged[1].runs.added, 0);
    assert_string_equal(fixture_ask(desk.c, "PRAGMA integrity_check"), "ok");
    assert_string_equal(fixture_ask(desk.c, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
}

static void twice_is_as_once(void **state)
{
    struct desk desk = set_up(*state);
    struct fixture *f = desk.f;
    fill(f, desk.a);
    struct store *store = open_at(f, desk.b);
    strcpy(f->device.name, "Imaginary 200"); /* ids differ from those of the first */
    f->problem.size = "M=64,N=64,K=64";
    sweep(f, store, 50);
    strcpy(f->device.name, "Imaginary 100");
    f->problem.size = "M=1024,N=1024,K=1024";
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":\"C\"}", fixture_success(7));
    store_close(store);
    merge(&desk, desk.a, desk.b, desk.c);
    assert_int_equal(merged[1].evaluations.added, 3);
    assert_int_equal(merged[1].runs.added, 2);
    assert_string_equal(
        fixture_ask(desk.c, "SELECT group_concat(line, ' ') FROM (SELECT device.name || size || "
                            "configuration || (SELECT count(*) FROM run_evaluation WHERE evaluation = "
                            "evaluation.id) AS line FROM evaluation JOIN problem ON problem.id = "
                            "problem JOIN device ON device.id = device ORDER BY 1)"),
        "Imaginary 100M=1024,N=1024,K=1024{\"T\":\"A\"}1 Imaginary 100M=1024,N=1024,K=1024{\"T\":\"B\"}1 "
        "Imaginary 100M=1024,N=1024,K=1024{\"T\":\"C\"}1 Imaginary 200M=64,N=64,K=64{\"T\":\"A\"}1 "
        "Imaginary 200M=64,N=64,K=64{\"T\":\"B\"}1");
    merge(&desk, desk.c, desk.b, desk.d);
    expect_equal(desk.c, desk.d);
    assert_int_equal(unlink(desk.d), 0);
    merge(&desk, desk.c, desk.a, desk.d);
    expect_equal(desk.c, desk.d);
}

/* The one row of the configuration: its time, and what finals decided of it. */
static void expect_row(const char *path, const char *expected)
{
    assert_string_equal(fixture_ask(path,
                                    "SELECT count(*) || ' ' || time_ns || ' ' || origin || ' ' || coalesce((SELECT "
                                    "result FROM verdict WHERE evaluation = evaluation.id), '-') FROM evaluation "
                                    "WHERE configuration = '{\"T\":\"A\"}'"),
                        expected);
}

/* In either order. */
static void expect_merged(struct desk *desk, const char *expected)
{
    const char *const targets[] = {desk->c, desk->d};
    for (size_t i = 0; i < 2; i++) {
        unlink(targets[i]);
        merge(desk, i ? desk->b : desk->a, i ? desk->a : desk->b, targets[i]);
        expect_row(targets[i], expected);
    }
}

static void the_latest_measurement_stays_with_its_verdict(void **state)
{
    struct desk desk = set_up(*state);
    struct fixture *f = desk.f;
    struct store *store = open_at(f, desk.a);
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"T\":\"A\"}", fixture_success(300));
    store_close(store);
    store = open_at(f, desk.b);
    sweep(f, store, 100); /* A loses, at 102 */
    store_close(store);
    change(desk.a, "UPDATE evaluation SET measured_at = '2026-01-01T00:00:00.000Z'");
    change(desk.b, "UPDATE evaluation SET measured_at = '2026-01-02T00:00:00.000Z'");
    expect_merged(&desk, "1 102.0 measured lost");
    change(desk.a, "UPDATE evaluation SET measured_at = '2026-01-03T00:00:00.000Z'");
    expect_merged(&desk, "1 300.0 measured -");
    change(desk.a, "UPDATE evaluation SET origin = 'shipped'"); /* however late */
    expect_merged(&desk, "1 102.0 measured lost");
    change(desk.a, "UPDATE evaluation SET origin = 'imported'");
    expect_merged(&desk, "1 102.0 measured lost");
    change(desk.b, "UPDATE evaluation SET origin = 'shipped'");
    expect_merged(&desk, "1 300.0 imported -");
    change(desk.a, "UPDATE evaluation SET origin = 'measured', transient = 1");
    expect_merged(&desk, "1 102.0 shipped lost");
}

/* Both have the same run; in one of them it had not ended yet. */
static void the_later_state_of_a_run_stays(void **state)
{
    struct desk desk = set_up(*state);
    struct fixture *f = desk.f;
    struct store *store = open_at(f, desk.a);
    sweep(f, store, 100);
    store_close(store);
    store = open_at(f, desk.b);
    store_close(store);
    assert_int_equal(unlink(desk.b), 0);
    merge(&desk, desk.a, desk.a, desk.b);
    change(desk.b, "UPDATE run SET ended_at = NULL, status = 'running', alive_at = started_at; DELETE FROM final; "
                   "DELETE FROM verdict; DELETE FROM run_evaluation WHERE sequence = 2; DELETE FROM evaluation WHERE "
                   "configuration LIKE '%B%'; UPDATE evaluation SET time_ns = 55");
    static const char state_sql[] =
        "SELECT count(*) || status || (SELECT count(*) FROM run_evaluation) || (SELECT count(*) FROM final) FROM run";
    expect_merged(&desk, "1 102.0 measured lost"); /* the time of the finals */
    assert_string_equal(fixture_ask(desk.c, state_sql), "1done22");
    assert_string_equal(fixture_ask(desk.d, state_sql), "1done22");
}

static void metrics_by_other_definitions_are_computed_again(void **state)
{
    struct desk desk = set_up(*state);
    struct fixture *f = desk.f;
    struct store *store = open_at(f, desk.a);
    sweep(f, store, 100);
    store_close(store);
    f->problem.size = "M=64,N=64,K=64";
    store = open_at(f, desk.b);
    sweep(f, store, 50);
    store_close(store);
    change(desk.b, "UPDATE template SET metrics = '{\"rate\":{\"text\":\"1\",\"sense\":\"minimize\"}}'; "
                   "INSERT INTO verdict SELECT evaluation, 'rate', winner, result FROM verdict");
    static const char sql[] =
        "SELECT group_concat(size || ' ' || coalesce(evaluation.metrics, '-') || ' ' || (SELECT "
        "group_concat(objective) FROM verdict WHERE evaluation = evaluation.id), ';') FROM "
        "evaluation JOIN problem ON problem.id = problem WHERE configuration LIKE '%A%'";
    merge(&desk, desk.a, desk.b, desk.c);
    assert_string_equal(fixture_ask(desk.c, sql), "M=1024,N=1024,K=1024 {\"rate\":2} time;M=64,N=64,K=64 - time");
    change(desk.b, "UPDATE device SET kind = 'imported'"); /* nobody could compute these again */
    merge(&desk, desk.a, desk.b, desk.d);
    assert_string_equal(fixture_ask(desk.d, sql),
                        "M=1024,N=1024,K=1024 {\"rate\":2} time;M=64,N=64,K=64 {\"rate\":2} time");
}

static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static void an_older_source_is_not_touched(void **state)
{
    struct desk desk = set_up(*state);
    struct fixture *f = desk.f;
    sqlite3 *sqlite;
    static char before[1 << 18], after[1 << 18];
    assert_int_equal(sqlite3_open(desk.a, &sqlite), SQLITE_OK);
    struct store old = {.sqlite = sqlite, .path = desk.a};
    assert_success(migrate(&old, store_migrations, 1, &f->error), &f->error);
    store_disconnect(&old);
    change(desk.a,
           "INSERT INTO device VALUES (5, 'cuda', 'Old', 'sm_70', 80, 16, NULL, 1e12, 1e11, '{}'); "
           "INSERT INTO toolchain VALUES (6, 'd', 'c'); INSERT INTO template VALUES (7, 'gemm', 'h', NULL, '2020');"
           "INSERT INTO problem VALUES (8, 7, 5, 6, 'M=1', NULL, NULL); "
           "INSERT INTO evaluation (problem, configuration, outcome, time_ns, measured_at, origin) "
           "VALUES (8, '{\"T\":\"A\"}', 'ok', 41, '2020', 'measured'); PRAGMA journal_mode = WAL");
    size_t length = fixture_read(desk.a, before, sizeof before);
    assert_in_range(length, 1, sizeof before - 1);
    merge(&desk, desk.a, desk.a, desk.c);
    expect_row(desk.c, "1 41.0 measured -");
    assert_int_equal(fixture_read(desk.a, after, sizeof after), length);
    assert_memory_equal(before, after, length);
    assert_int_equal(files_in(f->folder), 4); /* with . and .. */
}

static void refused_while(const volatile sig_atomic_t *interrupted, struct desk *desk, const char *text)
{
    const char *const sources[] = {desk->a, desk->b};
    size_t files = files_in(desk->f->folder);
    memset(&desk->f->error, 0, sizeof desk->f->error);
    if (store_merge(sources, 2, desk->c, interrupted, merged, &desk->f->error))
        fail_msg("not refused: %s", text);
    assert_mentions(desk->f->error.text, text);
    assert_int_equal(files_in(desk->f->folder), files);
}

static void refused(struct desk *desk, const char *text)
{
    refused_while(NULL, desk, text);
}

/* The first source is as it should be; nothing of it is there in the end. */
static void a_source_that_is_no_good_leaves_nothing(void **state)
{
    struct desk desk = set_up(*state);
    fill(desk.f, desk.a);
    refused(&desk, "there is no database");
    fixture_write(desk.b, "no", 2);
    refused(&desk, "b.db is not a database");
    static const struct {
        const char *sql, *says;
    } cases[] = {
        {"PRAGMA foreign_keys = OFF; DELETE FROM problem",
         "b.db has a row in its table run that cannot be: NOT NULL"},
        {"PRAGMA foreign_keys = OFF; DELETE FROM run", "b.db has a row in its table run_evaluation that cannot be"},
        {"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE name = "
         "'space'; PRAGMA writable_schema = RESET; UPDATE space SET text = NULL, hash = 'other'",
         "b.db has a row in its table space that cannot be: NOT NULL"},
        {"ALTER TABLE final RENAME TO other", "b.db: no such table: final"},
        {"DROP TABLE final; CREATE VIEW final AS SELECT 1 AS run, 1 AS place", "b.db: "},
        {"PRAGMA user_version = 99", "newer tune"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unlink(desk.b);
        fill(desk.f, desk.b);
        change(desk.b, cases[i].sql);
        refused(&desk, cases[i].says);
    }
    /* a page that is another's */
    unlink(desk.b);
    fill(desk.f, desk.b);
    static char bytes[1 << 18];
    size_t length = fixture_read(desk.b, bytes, sizeof bytes), page = 4096;
    size_t root = (size_t)atoi(fixture_ask(desk.b, "SELECT rootpage FROM sqlite_master WHERE name = 'evaluation'"));
    memset(bytes + (root - 1) * page, 0x55, page);
    fixture_write(desk.b, bytes, length);
    refused(&desk, "b.db is damaged (");
}

static void an_interrupted_merge_leaves_nothing(void **state)
{
    static const volatile sig_atomic_t interrupted = 1;
    struct desk desk = set_up(*state);
    fill(desk.f, desk.a);
    fill(desk.f, desk.b);
    refused_while(&interrupted, &desk, "interrupted");
}

static void an_existing_target_stays_as_it_is(void **state)
{
    struct desk desk = set_up(*state);
    fill(desk.f, desk.a);
    fill(desk.f, desk.b);
    fixture_write(desk.c, "mine", 4);
    refused(&desk, "c.db: File exists");
    char bytes[8];
    assert_int_equal(fixture_read(desk.c, bytes, sizeof bytes), 4);
}

/* As a sweep in it has left it: rows are in the journal. */
static void a_source_in_use_is_read_as_it_is(void **state)
{
    struct desk desk = set_up(*state);
    struct store *store = open_at(desk.f, desk.a);
    fixture_put(desk.f, store, fixture_begin(desk.f, store), "{\"T\":\"A\"}", fixture_success(61));
    merge(&desk, desk.a, desk.a, desk.c);
    expect_row(desk.c, "1 61.0 measured -");
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(nothing_is_lost_and_nothing_is_there_twice),
        unit(twice_is_as_once),
        unit(the_latest_measurement_stays_with_its_verdict),
        unit(the_later_state_of_a_run_stays),
        unit(metrics_by_other_definitions_are_computed_again),
        unit(an_older_source_is_not_touched),
        unit(a_source_that_is_no_good_leaves_nothing),
        unit(an_interrupted_merge_leaves_nothing),
        unit(an_existing_target_stays_as_it_is),
        unit(a_source_in_use_is_read_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
