/* SPDX-License-Identifier: Apache-2.0 */
/* Databases as a stranger may have planted them: what is no data is not used, and every query ends. */
#include "fixture.h"

#include "db/distrust.h"

#include <jansson.h>

enum { ROWS = 20 };

static void make_database(struct fixture *f)
{
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    for (int i = 0; i < ROWS; i++) {
        char configuration[64];
        snprintf(configuration, sizeof configuration, "{\"TILE\":%d}", i);
        fixture_put(f, store, run, configuration, fixture_success(1e6 + (i + 7) % ROWS));
    }
    store_close(store);
}

/* As another program, without any limits. */
static void plant(struct fixture *f, const char *sql)
{
    sqlite3 *sqlite;
    char *message = NULL;
    assert_int_equal(sqlite3_open(f->path, &sqlite), SQLITE_OK);
    assert_int_equal(sqlite3_db_config(sqlite, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL), SQLITE_OK);
    if (sqlite3_exec(sqlite, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s", message);
    assert_int_equal(sqlite3_close(sqlite), SQLITE_OK);
}

static bool count_row(const struct store_row *row, void *context)
{
    assert_int_equal(row->outcome, OUTCOME_OK);
    ++*(int *)context;
    return true;
}

static bool count_best(const struct store_row *row, void *context)
{
    assert_string_equal(row->configuration, "{\"TILE\":13}");
    assert_true(row->time_ns == 1e6);
    ++*(int *)context;
    return true;
}

static bool count_recorded(const struct store_recorded_row *row, void *context)
{
    (void)row;
    ++*(int *)context;
    return true;
}

static bool count_run(const struct store_run_row *row, void *context)
{
    (void)row;
    ++*(int *)context;
    return true;
}

static int64_t only_device(struct fixture *f, struct store *store)
{
    json_t *devices;
    if (!store_devices_json(store, &devices, &f->error))
        fail_msg("%s", f->error.text);
    assert_int_equal(json_array_size(devices), 1);
    json_t *best = json_object_get(json_array_get(devices, 0), "best");
    assert_int_equal(json_array_size(best), 1);
    json_t *tile = json_object_get(json_object_get(json_array_get(best, 0), "configuration"), "TILE");
    assert_int_equal(json_integer_value(tile), 13);
    int64_t id = json_integer_value(json_object_get(json_array_get(devices, 0), "id"));
    json_decref(devices);
    return id;
}

/* Everything that is read from a database gives what was stored, as if nothing had been planted. */
static void reads_as_before(struct fixture *f, bool read_only)
{
    struct store *store;
    struct store_filter filter = {.template_name = NULL};
    int best = 0, finished = 0, relatives = 0, recorded = 0, runs = 0;
    json_t *document = NULL;
    if (!store_open(f->path, read_only, &store, &f->error))
        fail_msg("%s", f->error.text);
    assert_true(store_best(store, &filter, count_best, &best, &f->error));
    assert_true(store_finished(store, &f->problem, "time", NULL, count_row, &finished, &f->error));
    assert_true(store_relatives(store, f->problem.template_name, f->problem.device->kind, NULL, count_best,
                                &relatives, &f->error));
    assert_true(store_recorded(store, count_recorded, &recorded, &f->error));
    assert_true(store_runs(store, count_run, &runs, &f->error));
    assert_true(store_device_json(store, only_device(f, store), &document, &f->error));
    json_decref(document);
    store_close(store);
    assert_int_equal(best, 1);
    assert_int_equal(finished, ROWS);
    assert_int_equal(relatives, 1);
    assert_int_equal(recorded, ROWS);
    assert_int_equal(runs, 1);
}

#define ENDLESS "WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless) "

static void views_are_the_programs_own(void **state)
{
    struct fixture *f = *state;
    static const char *const planted[] = {
        "DROP VIEW fastest; CREATE VIEW fastest AS " ENDLESS
        "SELECT n AS problem, n AS evaluation, 1.0 AS time_ns FROM endless",
        "DROP VIEW best; CREATE VIEW best AS " ENDLESS "SELECT n AS template, n AS device_id FROM endless",
        "DROP VIEW fastest; CREATE VIEW fastest AS SELECT 1 AS problem, 1 AS evaluation, 0.5 AS time_ns",
        "DROP VIEW fastest; DROP VIEW best; DROP VIEW runs; DROP VIEW finals; DROP VIEW best_by_energy",
        "DROP VIEW fastest; CREATE TABLE fastest (problem, evaluation, time_ns)",
        "CREATE VIEW mine AS SELECT * FROM best", /* a user's own */
    };
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        unlink(f->path);
        make_database(f);
        plant(f, planted[i]);
        reads_as_before(f, true);
        reads_as_before(f, false);
    }
}

static void triggers_do_not_run(void **state)
{
    struct fixture *f = *state;
    make_database(f);
    plant(f, "CREATE TRIGGER a AFTER INSERT ON evaluation BEGIN DELETE FROM evaluation; END;"
             "CREATE TRIGGER b AFTER INSERT ON run BEGIN UPDATE evaluation SET time_ns = 1; END;"
             "CREATE TRIGGER c BEFORE UPDATE ON run BEGIN SELECT RAISE(ABORT, 'no'); END;"
             "CREATE TRIGGER d INSTEAD OF DELETE ON best BEGIN SELECT 1; END");
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"TILE\":0}", fixture_success(1e6 + 7));
    assert_true(store_run_end(store, run, "done", &f->error));
    store_close(store);
    plant(f, "DELETE FROM run WHERE id = (SELECT max(id) FROM run)");
    reads_as_before(f, true);
}

/* Rows that belong to what is deleted go with it nevertheless. */
static void deletes_cascade_without_triggers(void **state)
{
    struct fixture *f = *state;
    make_database(f);
    struct store *store = fixture_open(f);
    assert_int_equal(sqlite3_exec(store->sqlite, "DELETE FROM template", NULL, NULL, NULL), SQLITE_OK);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM run_evaluation"), "0");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM evaluation"), "0");
}

/* Every way to read fails with an error; none runs for ever. */
static void refused(struct fixture *f, const char *part)
{
    struct store *store;
    int count = 0;
    memset(&f->error, 0, sizeof f->error);
    if (store_open(f->path, true, &store, &f->error)) {
        bool read = store_finished(store, &f->problem, "time", NULL, count_row, &count, &f->error);
        store_close(store);
        assert_false(read);
    }
    if (!strstr(f->error.text, part))
        fail_msg("\"%s\" does not mention \"%s\"", f->error.text, part);
}

static void a_table_is_a_table(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *sql, *part;
    } cases[] = {
        {"ALTER TABLE evaluation RENAME TO mine; CREATE VIEW evaluation AS SELECT * FROM mine", "view"},
        {"DROP TABLE evaluation; CREATE VIEW evaluation AS " ENDLESS "SELECT n AS id FROM endless", ""},
        {"DROP TABLE evaluation; CREATE VIRTUAL TABLE evaluation USING fts5(id, problem, outcome)", "no such module"},
        {"DROP TABLE evaluation; CREATE VIRTUAL TABLE evaluation USING rtree(id, a, b)", "no such module"},
        {"DROP TABLE evaluation", "no such table"},
        {"DROP TABLE evaluation; CREATE TABLE evaluation (id)", "no such column"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unlink(f->path);
        make_database(f);
        char sql[512];
        snprintf(sql, sizeof sql,
                 "DROP VIEW best; DROP VIEW fastest; DROP VIEW runs; DROP VIEW finals; "
                 "DROP VIEW best_by_energy; PRAGMA legacy_alter_table = ON; %s",
                 cases[i].sql);
        plant(f, sql);
        refused(f, cases[i].part);
    }
}

static void put_short(unsigned char *at, size_t number)
{
    at[0] = (unsigned char)(number >> 8);
    at[1] = (unsigned char)number;
}

/* An interior page of a table's tree whose children are all the same page
 * (https://www.sqlite.org/fileformat.html, 1.6). */
static void forge_interior(unsigned char *page, size_t size, uint32_t child)
{
    enum { HEADER = 12, CELL = 5, CHILDREN = 300 };
    memset(page, 0, size);
    size_t content = size - (size_t)CHILDREN * CELL;
    page[0] = 5;
    put_short(page + 3, CHILDREN);
    put_short(page + 5, content);
    fixture_big_endian(page + 8, child);
    for (size_t i = 0; i < CHILDREN; i++) {
        unsigned char *cell = page + content + i * CELL;
        put_short(page + HEADER + 2 * i, content + i * CELL);
        fixture_big_endian(cell, child);
        cell[4] = 1; /* the largest key below it */
    }
}

/* With five levels of such pages the one row of a table looks like 300^5 rows. */
static void forge_table(const char *path, const char *table)
{
    enum { PAGE = 4096, LEVELS = 5 };
    unsigned char page[PAGE], pages[4];
    char sql[128];
    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_master WHERE name = '%s'", table);
    long root = strtol(fixture_ask(path, sql), NULL, 10),
         last = strtol(fixture_ask(path, "PRAGMA page_count"), NULL, 10);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (root - 1) * PAGE, SEEK_SET), 0);
    assert_int_equal(fread(page, 1, PAGE, file), PAGE);
    assert_int_equal(page[0], 13); /* a leaf */
    for (long level = 0; level < LEVELS; level++) {
        assert_int_equal(fseek(file, last * PAGE, SEEK_SET), 0);
        assert_int_equal(fwrite(page, 1, PAGE, file), PAGE);
        forge_interior(page, PAGE, (uint32_t)++last);
    }
    assert_int_equal(fseek(file, (root - 1) * PAGE, SEEK_SET), 0);
    assert_int_equal(fwrite(page, 1, PAGE, file), PAGE);
    fixture_big_endian(pages, (uint32_t)last);
    assert_int_equal(fseek(file, 28, SEEK_SET), 0);
    assert_int_equal(fwrite(pages, 1, 4, file), 4);
    assert_int_equal(fclose(file), 0);
}

static void an_endless_table_is_given_up(void **state)
{
    struct fixture *f = *state;
    struct store *store;
    int count = 0;
    make_database(f);
    plant(f, "PRAGMA journal_mode = DELETE");
    forge_table(f->path, "run");
    assert_true(store_open(f->path, true, &store, &f->error));
    assert_false(store_runs(store, count_run, &count, &f->error));
    assert_error(f, "cannot be read: that takes far more steps than a file of its size can need");
    assert_int_equal(f->error.code, ERROR_SYSTEM);
    /* what does not read it goes on */
    struct store_filter filter = {.template_name = NULL};
    count = 0;
    assert_true(store_best(store, &filter, count_best, &count, &f->error));
    assert_int_equal(count, 1);
    store_close(store);
}

/* Rows come one by one here, each with another query in between. */
static bool ask_again(const struct store_run_row *row, void *context)
{
    int count = 0;
    (void)row;
    return store_best(context, &(struct store_filter){.template_name = NULL}, count_best, &count, NULL);
}

static void an_allowance_is_a_querys_own(void **state)
{
    struct fixture *f = *state;
    make_database(f);
    struct store *store = fixture_open(f);
    struct query query;
    assert_true(query_open(&query, store, ENDLESS "SELECT n FROM endless", &f->error));
    enum query_step step;
    while ((step = query_step(&query, &f->error)) == QUERY_ROW) {
        if (query_known(&query, 0) % 100000 == 0)
            assert_true(store_runs(store, ask_again, store, &f->error));
    }
    query_close(&query);
    assert_int_equal(step, QUERY_FAILED);
    assert_error(f, "takes far more steps");
    assert_true(store_runs(store, ask_again, store, &f->error));
    store_close(store);
}

/* One text that every row hands out: 10 MB in the file, 20 GB on their way out. */
static void a_text_repeated_without_end_is_given_up(void **state)
{
    struct fixture *f = *state;
    struct store *store;
    int count = 0;
    make_database(f);
    plant(f, "UPDATE toolchain SET driver = replace(hex(zeroblob(5000000)), '0', 'x');"
             "INSERT INTO evaluation (problem, configuration, outcome, time_ns, measured_at, origin) "
             "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 2000) "
             "SELECT (SELECT id FROM problem), '{\"X\":' || n || '}', 'ok', 1e7, '', 'measured' FROM r");
    assert_true(store_open(f->path, true, &store, &f->error));
    struct query query;
    assert_true(query_open(&query, store,
                           "SELECT toolchain.driver FROM evaluation JOIN problem ON problem.id = evaluation.problem "
                           "JOIN toolchain ON toolchain.id = problem.toolchain",
                           &f->error));
    enum query_step step;
    while ((step = query_step(&query, &f->error)) == QUERY_ROW)
        count += query_text(&query, 0)[0] == 'x';
    query_close(&query);
    assert_int_equal(step, QUERY_FAILED);
    assert_error(f, "far larger than a file of its size can need");
    assert_true(count < 100);
    store_close(store);
}

static void a_text_has_a_limit(void **state)
{
    struct fixture *f = *state;
    struct query query;
    make_database(f);
    struct store *store = fixture_open(f);
    assert_true(query_open(&query, store, "SELECT zeroblob(300000000)", &f->error));
    assert_int_equal(query_step(&query, &f->error), QUERY_FAILED);
    query_close(&query);
    assert_error(f, "far larger");
    assert_false(query_open(&query, store, "ATTACH 'other.db' AS other", &f->error) && query_run(&query, &f->error));
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(views_are_the_programs_own),
        unit(triggers_do_not_run),
        unit(deletes_cascade_without_triggers),
        unit(a_table_is_a_table),
        unit(an_endless_table_is_given_up),
        unit(an_allowance_is_a_querys_own),
        unit(a_text_repeated_without_end_is_given_up),
        unit(a_text_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
