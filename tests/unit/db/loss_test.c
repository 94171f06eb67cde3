/* SPDX-License-Identifier: Apache-2.0 */
/* What happens to the files of a database while it is being written. */
#include "fixture.h"

#include "db/loss.h"

#include <sys/stat.h>

enum { BEFORE = 5, AFTER = 3 };

static void put_rows(struct fixture *f, struct store *store, int64_t run, int from, int count)
{
    for (int i = from; i < from + count; i++) {
        char configuration[64];
        snprintf(configuration, sizeof configuration, "{\"TILE\":%d}", i);
        fixture_put(f, store, run, configuration, fixture_success(1e6 + i));
    }
}

/* Carry out a shell command on the files while rows are stored; then end the run. */
static bool survives(struct fixture *f, const char *path, const char *command)
{
    struct store *store;
    char line[1024];
    memset(&f->error, 0, sizeof f->error);
    if (!store_open(path, false, &store, &f->error))
        fail_msg("%s", f->error.text);
    int64_t run = fixture_begin(f, store);
    put_rows(f, store, run, 0, BEFORE);
    snprintf(line, sizeof line, "cd %s && %s", f->folder, command);
    assert_int_equal(system(line), 0);
    store->looked_at = 1e18; /* rows may be stored before it is looked at again */
    put_rows(f, store, run, BEFORE, AFTER);
    bool ended = store_run_end(store, run, "done", &f->error);
    assert_int_equal(ended, !store_is_lost(store));
    if (!ended) { /* it stays so */
        struct error again = {0};
        struct evaluation evaluation = fixture_success(1);
        int64_t id;
        assert_false(store_put(store, run, "{\"TILE\":99}", &evaluation, &id, &again));
        assert_string_equal(again.text, f->error.text);
    }
    store_close(store);
    return ended;
}

static void expect_rows(const char *path)
{
    char expected[8];
    snprintf(expected, sizeof expected, "%d", BEFORE + AFTER);
    assert_string_equal(fixture_ask(path, "PRAGMA quick_check"), "ok");
    assert_string_equal(fixture_ask(path, "SELECT count(*) FROM evaluation"), expected);
}

static void rows_of_a_lost_database_are_saved(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *command, *part;
    } cases[] = {
        {"rm -f tune.db tune.db-wal tune.db-shm", "tune.db was removed or renamed; all rows are in"},
        {"rm tune.db", "tune.db was removed or renamed"},
        {"mv tune.db other.db", "tune.db was removed or renamed"},
        {"for end in '' -wal -shm; do mv tune.db$end other.db$end; done", "tune.db was removed or renamed"},
        {"cp tune.db new && mv new tune.db", "tune.db was replaced by another file"},
        {"mv tune.db other.db && ln -s other2.db tune.db && cp other.db other2.db", "was replaced by another file"},
        {"rm tune.db-wal", "tune.db-wal was removed;"},
        {"rm tune.db-shm", "tune.db-shm was removed;"},
        {"cp tune.db-wal new && mv new tune.db-wal", "tune.db-wal was replaced by another file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char rescued[256], command[512];
        assert_false(survives(f, f->path, cases[i].command));
        assert_error(f, cases[i].part);
        assert_int_equal(f->error.code, ERROR_SYSTEM);
        snprintf(rescued, sizeof rescued, "%s.rescued", f->path);
        assert_error(f, rescued);
        expect_rows(rescued);
        /* it is a database like any other */
        struct store *store;
        assert_true(store_open(rescued, false, &store, &f->error));
        put_rows(f, store, fixture_begin(f, store), 0, 1);
        store_close(store);
        snprintf(command, sizeof command, "rm -f %s/*", f->folder);
        assert_int_equal(system(command), 0);
    }
}

static void the_folder_may_be_gone(void **state)
{
    struct fixture *f = *state;
    char path[256];
    snprintf(path, sizeof path, "%s/inner/tune.db", f->folder);
    assert_false(survives(f, path, "mv inner moved"));
    assert_error(f, "inner/tune.db.rescued");
    snprintf(path, sizeof path, "%s/inner/tune.db.rescued", f->folder);
    expect_rows(path);
}

static void an_earlier_rescue_is_kept(void **state)
{
    struct fixture *f = *state;
    char path[256];
    snprintf(path, sizeof path, "%s.rescued", f->path);
    fixture_write(path, "precious", 8);
    assert_false(survives(f, f->path,
                          "rm -f tune.db*; printf precious > tune.db.rescued; "
                          "ln -s /nowhere tune.db.rescued-2"));
    assert_error(f, "tune.db.rescued-3");
    snprintf(path, sizeof path, "%s.rescued-3", f->path);
    expect_rows(path);
}

/* What SQLite has not read yet is gone. The file is either whole or not there. */
static void an_emptied_database_is_noticed(void **state)
{
    struct fixture *f = *state;
    char path[256];
    static const char *const commands[] = {": > tune.db", "echo mine > tune.db",
                                           "sqlite3 other 'create table t (a)' && cat other > tune.db"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        assert_false(survives(f, f->path, commands[i]));
        assert_error(f, "tune.db was emptied or overwritten");
        snprintf(path, sizeof path, "%s.rescued", f->path);
        if (strstr(f->error.text, "could not be saved"))
            assert_int_equal(access(path, F_OK), -1);
        else
            expect_rows(path);
        char command[512];
        snprintf(command, sizeof command, "rm -f %s/*", f->folder);
        assert_int_equal(system(command), 0);
    }
}

static void rows_that_cannot_be_saved_are_told_of(void **state)
{
    struct fixture *f = *state;
    char path[256];
    snprintf(path, sizeof path, "%s/inner/tune.db", f->folder);
    assert_false(survives(f, path, "mv inner moved && : > inner"));
    assert_error(f, "the rows could not be saved to another file: Not a directory");
}

static void what_others_do_is_no_loss(void **state)
{
    struct fixture *f = *state;
    char link[256];
    static const char *const commands[] = {
        "true",
        "cp tune.db copy.db",
        "sqlite3 tune.db 'pragma wal_checkpoint(truncate)' > /dev/null",
        "sqlite3 tune.db 'vacuum; create table mine (x); insert into mine values (1)'",
        "chmod 600 tune.db && touch tune.db",
        "ln tune.db hard.db",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!survives(f, f->path, commands[i]))
            fail_msg("%s: %s", commands[i], f->error.text);
    }
    expect_rows(f->path);
    snprintf(link, sizeof link, "%s/link.db", f->folder);
    assert_int_equal(symlink("tune.db", link), 0);
    assert_true(survives(f, link, "rm link.db")); /* the database itself is there */
    expect_rows(f->path);
}

/* A store that only reads, and one whose sweep does nothing for a while. */
static void looking_is_not_only_for_commits(void **state)
{
    struct fixture *f = *state;
    struct store *reader, *store = fixture_open(f);
    fixture_begin(f, store);
    assert_true(store_open(f->path, true, &reader, &f->error));
    unlink(f->path);
    assert_true(store_flush(reader, &f->error));
    store->looked_at -= 2;
    assert_false(store_flush(store, &f->error));
    assert_error(f, "was removed or renamed");
    store_close(reader);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(rows_of_a_lost_database_are_saved),
        unit(the_folder_may_be_gone),
        unit(an_earlier_rescue_is_kept),
        unit(an_emptied_database_is_noticed),
        unit(rows_that_cannot_be_saved_are_told_of),
        unit(what_others_do_is_no_loss),
        unit(looking_is_not_only_for_commits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
