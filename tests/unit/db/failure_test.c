/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite result codes as errors: each has its message, its code and, where the user can act, a hint. */
#include "fixture.h"

static void each_result_has_its_message(void **state)
{
    static const struct {
        int result;
        enum error_code code;
        const char *part;
        bool hint;
    } cases[] = {
        {SQLITE_NOTADB, ERROR_INPUT, "is not a database", true},
        {SQLITE_READONLY, ERROR_SYSTEM, "can be read but not written", true},
        {SQLITE_READONLY_DBMOVED, ERROR_SYSTEM, "can be read but not written", true}, /* extended codes count too */
        {SQLITE_FULL, ERROR_SYSTEM, "cannot grow: the disk is full", true},
        {SQLITE_BUSY, ERROR_SYSTEM, "was locked by another program", true},
        {SQLITE_NOMEM, ERROR_OUT_OF_MEMORY, "out of memory", false},
        {SQLITE_IOERR_NOMEM, ERROR_OUT_OF_MEMORY, "out of memory", false},
        {SQLITE_RANGE, ERROR_SYSTEM, "cannot wind up the database", false},
    };
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        assert_false(store_fail(store, cases[i].result, "wind up", &error));
        if (error.code != cases[i].code || !strstr(error.text, cases[i].part) || !strstr(error.text, f->path))
            fail_msg("result %d: code %d: %s", cases[i].result, (int)error.code, error.text);
        assert_int_equal(error.hint[0] != '\0', cases[i].hint);
    }
    store_close(store);
}

static void damage_that_cannot_be_confirmed_is_not_claimed(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    assert_false(store_fail(store, SQLITE_CORRUPT, "read", &f->error));
    assert_int_equal(f->error.code, ERROR_SYSTEM);
    assert_non_null(strstr(f->error.text, f->path));
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(each_result_has_its_message),
        unit(damage_that_cannot_be_confirmed_is_not_claimed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
