/* SPDX-License-Identifier: Apache-2.0 */
/* The size of the database and of its tables, and making it smaller. */
#include "fixture.h"

#include "db/forget.h"

#include <sys/stat.h>

enum { ROWS = 40 };

/* Each row has a message that needs pages of its own. */
static struct store *fill(struct fixture *f)
{
    static char message[9000];
    memset(message, 'x', sizeof message - 1);
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    for (int i = 0; i < ROWS; i++) {
        char configuration[32];
        snprintf(configuration, sizeof configuration, "{\"P\":%d}", i);
        fixture_put(f, store, run, configuration, fixture_failure(OUTCOME_CRASH, message));
    }
    return store;
}

static bool add(const struct store_table *table, void *context)
{
    if (strcmp(table->name, "evaluation") == 0)
        *(struct store_table *)context = *table;
    return true;
}

static void tables_have_rows_and_bytes(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f);
    struct store_table table = {0};
    assert_true(store_tables(store, add, &table, &f->error));
    assert_int_equal(table.rows, ROWS);
    assert_true(table.bytes == -1 || table.bytes > ROWS * 9000); /* -1: this SQLite cannot tell */
    store_close(store);
}

static void what_was_deleted_is_given_back(void **state)
{
    struct fixture *f = *state;
    struct store *store = fill(f);
    int64_t full, before, unused, after, none;
    struct stat status;
    assert_true(store_bytes(store, &full, &unused, &f->error));
    assert_int_equal(sqlite3_exec(store->sqlite, "DELETE FROM evaluation", NULL, NULL, NULL), SQLITE_OK);
    assert_true(store_bytes(store, &before, &unused, &f->error));
    assert_true(before == full && unused > ROWS * 9000);
    if (!store_vacuum(store, &f->error))
        fail_msg("%s", f->error.text);
    assert_true(store_bytes(store, &after, &none, &f->error));
    assert_true(none == 0 && after <= before - unused);
    assert_int_equal(stat(f->path, &status), 0);
    assert_int_equal(status.st_size, after);
    assert_string_equal(fixture_ask(f->path, "PRAGMA integrity_check"), "ok");
    fixture_begin(f, store); /* it can still be written */
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {unit(tables_have_rows_and_bytes), unit(what_was_deleted_is_given_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
