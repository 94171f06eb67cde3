/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "db/migrate.h"

static const struct migration steps[] = {
    {"CREATE TABLE a (x INTEGER PRIMARY KEY); INSERT INTO a VALUES (1)"},
    {"CREATE TABLE b (x REFERENCES a); INSERT INTO b SELECT x FROM a"},
    {"ALTER TABLE b ADD COLUMN y; UPDATE b SET y = x + 1"},
};

/* A connection to an empty file, without the store's own schema. */
static struct store open_plain(struct fixture *f)
{
    struct store store = {.path = f->path};
    assert_int_equal(sqlite3_open(f->path, &store.sqlite), SQLITE_OK);
    return store;
}

static void steps_run_once_and_in_order(void **state)
{
    struct fixture *f = *state;
    struct store store = open_plain(f);
    size_t version = 9;
    assert_true(migrate_version(&store, 3, &version, &f->error));
    assert_int_equal(version, 0);
    assert_true(migrate(&store, steps, 1, &f->error));
    assert_true(migrate_version(&store, 3, &version, &f->error));
    assert_int_equal(version, 1);
    assert_true(migrate(&store, steps, 3, &f->error));
    assert_true(migrate(&store, steps, 3, &f->error));
    assert_true(migrate_version(&store, 3, &version, &f->error));
    assert_int_equal(version, 3);
    store_disconnect(&store);
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(x || ',' || y) FROM b"), "1,2");
}

static void expect_version_one(struct fixture *f)
{
    assert_string_equal(fixture_ask(f->path, "PRAGMA user_version"), "1");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(name) FROM sqlite_master"), "a");
}

static void a_step_that_fails_leaves_the_file_as_it_was(void **state)
{
    struct fixture *f = *state;
    static const struct migration broken[] = {
        {"CREATE TABLE a (x INTEGER PRIMARY KEY)"},
        {"CREATE TABLE c (x)"},
        {"CREATE TABLE d (x); INSERT INTO nowhere VALUES (1)"},
    };
    struct store store = open_plain(f);
    assert_true(migrate(&store, broken, 1, &f->error));
    assert_false(migrate(&store, broken, 3, &f->error));
    assert_non_null(strstr(f->error.text, "nowhere"));
    store_disconnect(&store);
    expect_version_one(f);
}

static void a_step_that_breaks_a_reference_is_undone(void **state)
{
    struct fixture *f = *state;
    static const struct migration orphans[] = {
        {"CREATE TABLE a (x INTEGER PRIMARY KEY)"},
        {"CREATE TABLE b (x REFERENCES a); INSERT INTO b VALUES (7)"},
    };
    struct store store = open_plain(f);
    assert_true(migrate(&store, orphans, 1, &f->error));
    assert_false(migrate(&store, orphans, 2, &f->error));
    assert_non_null(strstr(f->error.text, "a row of table b has a dangling reference"));
    store_disconnect(&store);
    expect_version_one(f);
}

static void a_version_above_the_last_step_is_refused(void **state)
{
    struct fixture *f = *state;
    struct store store = open_plain(f);
    assert_true(migrate(&store, steps, 3, &f->error));
    size_t version;
    assert_false(migrate_version(&store, 2, &version, &f->error));
    assert_error(f, "schema version is 3, this program supports up to 2");
    assert_false(migrate(&store, steps, 2, &f->error));
    store_disconnect(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(steps_run_once_and_in_order),
        unit(a_step_that_fails_leaves_the_file_as_it_was),
        unit(a_step_that_breaks_a_reference_is_undone),
        unit(a_version_above_the_last_step_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
