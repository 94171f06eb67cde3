/* SPDX-License-Identifier: Apache-2.0 */
/* A program that goes on reading a database without a WAL, in the time of a test that cannot wait: sqlite3_sleep is
 * wrapped by the linker (CMakeLists.txt). */
#include "fixture.h"

static int slept_ms;

/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __wrap_sqlite3_sleep(int milliseconds);
int __wrap_sqlite3_sleep(int milliseconds)
{
    slept_ms += milliseconds;
    return milliseconds;
}
/* NOLINTEND(bugprone-reserved-identifier) */

static void a_reader_without_an_end_is_reported(void **state)
{
    struct fixture *f = *state;
    sqlite3 *reader;
    struct store *store = NULL;
    store_close(fixture_open(f));
    assert_int_equal(sqlite3_open(f->path, &reader), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(reader, "PRAGMA journal_mode = DELETE; BEGIN; SELECT * FROM sqlite_master", NULL, NULL, NULL),
        SQLITE_OK);
    assert_false(store_open(f->path, false, &store, &f->error));
    assert_error(f, "was locked by another program for more than 30 s");
    assert_int_equal(slept_ms, 30000);
    assert_int_equal(sqlite3_exec(reader, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    store_close(fixture_open(f));
    sqlite3_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_reader_without_an_end_is_reported, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
