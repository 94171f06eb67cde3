/* SPDX-License-Identifier: Apache-2.0 */
#include "counting.h"
#include "fixture.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void refused(struct fixture *f, const char *path, bool read_only, const char *part, enum error_code code)
{
    struct store *store = (struct store *)f;
    memset(&f->error, 0, sizeof f->error);
    assert_false(store_open(path, read_only, &store, &f->error));
    assert_null(store);
    assert_error(f, part);
    assert_int_equal(f->error.code, code);
}

static void a_new_file_is_marked_and_uses_a_wal(void **state)
{
    struct fixture *f = *state;
    store_close(fixture_open(f));
    assert_string_equal(fixture_ask(f->path, "PRAGMA application_id"), "1953853029"); /* 0x74756e65 */
    assert_string_equal(fixture_ask(f->path, "PRAGMA user_version"), "16");
    assert_string_equal(fixture_ask(f->path, "PRAGMA journal_mode"), "wal");
    char header[100];
    assert_int_equal(fixture_read(f->path, header, sizeof header), sizeof header);
    assert_memory_equal(header + 68, "tune", 4);
}

static void an_open_store_rejects_orphans(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct query query;
    int64_t value = -1;
    assert_true(query_open(&query, store, "PRAGMA foreign_keys", NULL) && query_integer(&query, "", &value, NULL));
    assert_int_equal(value, 1);
    store_close(store);
}

static void an_empty_file_becomes_a_new_database(void **state)
{
    struct fixture *f = *state;
    fixture_write(f->path, "", 0);
    refused(f, f->path, true, "is empty", ERROR_INPUT);
    struct store *store = fixture_open(f);
    fixture_begin(f, store);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM runs"), "1");
}

static void names_special_to_sqlite_are_plain_files(void **state)
{
    struct fixture *f = *state;
    char old[4096];
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(f->folder), 0);
    static const char *const names[] = {":memory:", "file:x?mode=memory"};
    for (size_t i = 0; i < 2; i++) {
        struct store *store;
        assert_true(store_open(names[i], false, &store, &f->error));
        store_close(store);
        assert_int_equal(access(names[i], F_OK), 0);
    }
    assert_int_equal(chdir(old), 0);
}

static void a_file_that_is_not_a_database_is_refused_and_left_alone(void **state)
{
    struct fixture *f = *state;
    char garbage[8192], after[8192 + 1];
    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (char)(i * 2654435761U >> 13);
    static const char text[] = "# notes\nbuy milk\n";
    const struct {
        const char *bytes;
        size_t length;
    } files[] = {{garbage, sizeof garbage}, {text, strlen(text)}, {"SQLite format 3", 16}, {"x", 1}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        fixture_write(f->path, files[i].bytes, files[i].length);
        refused(f, f->path, false, "is not a database", ERROR_INPUT);
        refused(f, f->path, true, "is not a database", ERROR_INPUT);
        assert_int_equal(fixture_read(f->path, after, sizeof after), files[i].length);
        assert_memory_equal(after, files[i].bytes, files[i].length);
    }
}

static void make_foreign(const char *path, const char *sql)
{
    sqlite3 *sqlite;
    assert_int_equal(sqlite3_open(path, &sqlite), SQLITE_OK);
    assert_int_equal(sqlite3_exec(sqlite, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(sqlite), SQLITE_OK);
}

static void another_programs_database_is_refused_and_left_alone(void **state)
{
    struct fixture *f = *state;
    static const char *const contents[] = {
        "CREATE TABLE bookmarks (url); INSERT INTO bookmarks VALUES ('x')",
        "PRAGMA application_id = 252006673; CREATE TABLE t (a)",
        "PRAGMA user_version = 1; VACUUM",
        "PRAGMA journal_mode = WAL; CREATE TABLE t (a)",
    };
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        static char before[65536], after[65536];
        unlink(f->path);
        make_foreign(f->path, contents[i]);
        size_t length = fixture_read(f->path, before, sizeof before);
        refused(f, f->path, false, "is another program's database", ERROR_INPUT);
        refused(f, f->path, true, "is another program's database", ERROR_INPUT);
        assert_int_equal(fixture_read(f->path, after, sizeof after), length);
        assert_memory_equal(before, after, length);
    }
}

static void a_newer_schema_is_refused(void **state)
{
    struct fixture *f = *state;
    store_close(fixture_open(f));
    make_foreign(f->path, "PRAGMA user_version = 99");
    refused(f, f->path, false, "newer tune (its schema version is 99", ERROR_INPUT);
    refused(f, f->path, true, "newer tune", ERROR_INPUT);
    assert_string_equal(fixture_ask(f->path, "PRAGMA user_version"), "99");
}

static void paths_that_cannot_be_a_database(void **state)
{
    struct fixture *f = *state;
    char path[256];
    refused(f, f->folder, false, "is a folder", ERROR_INPUT);
    refused(f, f->folder, true, "is a folder", ERROR_INPUT);
    refused(f, "", false, "(an empty path) is not a database", ERROR_INPUT);
    refused(f, "/dev/null", false, "is not a file", ERROR_INPUT);
    refused(f, f->path, true, "there is no database", ERROR_INPUT);
    fixture_write(f->path, "", 0);
    snprintf(path, sizeof path, "%s/below/tune.db", f->path);
    refused(f, path, false, "cannot create the folder", ERROR_SYSTEM);
    refused(f, path, true, "Not a directory", ERROR_SYSTEM);
    refused(f, "/proc/nowhere/tune.db", false, "cannot create the folder /proc/nowhere", ERROR_SYSTEM);
}

/* Store `count` rows, numbered from `from`. */
static void fill(struct fixture *f, struct store *store, int64_t run, int from, int count)
{
    for (int i = from; i < from + count; i++) {
        char configuration[64];
        snprintf(configuration, sizeof configuration, "{\"TILE\":%d}", i);
        fixture_put(f, store, run, configuration, fixture_success(1e6 + i));
    }
}

static void make_database(struct fixture *f, int count)
{
    struct store *store = fixture_open(f);
    fill(f, store, fixture_begin(f, store), 0, count);
    store_close(store);
}

static void a_truncated_file_is_damaged(void **state)
{
    struct fixture *f = *state;
    make_database(f, 100);
    assert_int_equal(truncate(f->path, 3 * 4096 + 100), 0);
    refused(f, f->path, false, "is damaged", ERROR_SYSTEM);
    refused(f, f->path, true, "is damaged", ERROR_SYSTEM);
}

/* A journal as a crash leaves it during a transaction on several databases; `named` is the super-journal. It holds no
 * pages to restore (https://www.sqlite.org/fileformat.html, 3; the end: pager.c, writeSuperJournal). */
static void plant_journal(struct fixture *f, const char *named)
{
    static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    enum { SECTOR = 512 };
    unsigned char journal[SECTOR + 512] = {0};
    char path[256];
    uint32_t pages = (uint32_t)strtoul(fixture_ask(f->path, "PRAGMA page_count"), NULL, 10), sum = 0;
    const uint32_t head[] = {0, 0, pages, SECTOR, 4096};
    size_t length = strlen(named), at = sizeof magic;
    memcpy(journal, magic, sizeof magic);
    for (size_t i = 0; i < sizeof head / sizeof *head; i++, at += 4)
        fixture_big_endian(journal + at, head[i]);
    at = SECTOR;
    fixture_big_endian(journal + at, (1U << 30) / 4096 + 1); /* the page that locks lie in */
    memcpy(journal + at + 4, named, length);
    for (size_t i = 0; i < length; i++)
        sum += (unsigned char)named[i];
    at += 4 + length;
    fixture_big_endian(journal + at, (uint32_t)length);
    fixture_big_endian(journal + at + 4, sum);
    memcpy(journal + at + 8, magic, sizeof magic);
    snprintf(path, sizeof path, "%s-journal", f->path);
    fixture_write(path, journal, at + 16);
}

static void a_journal_that_names_another_file_is_refused(void **state)
{
    struct fixture *f = *state;
    char victim[256], link[256];
    make_database(f, 3);
    fixture_ask(f->path, "PRAGMA journal_mode = DELETE");
    snprintf(victim, sizeof victim, "%s/victim", f->folder);
    snprintf(link, sizeof link, "%s/link.db", f->folder);
    fixture_write(victim, "precious", 8);
    assert_int_equal(symlink(f->path, link), 0); /* SQLite finds the journal through a link */
    plant_journal(f, victim);
    const char *const paths[] = {f->path, link};
    for (size_t i = 0; i < 2; i++) {
        refused(f, paths[i], true, "has a journal that names another file", ERROR_INPUT);
        refused(f, paths[i], false, "has a journal that names another file", ERROR_INPUT);
        assert_int_equal(access(victim, F_OK), 0);
    }
    /* The danger is real: SQLite by itself deletes the file. */
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM evaluation"), "3");
    assert_int_equal(access(victim, F_OK), -1);
    store_close(fixture_open(f));
}

static void damage_found_after_opening_is_reported(void **state)
{
    struct fixture *f = *state;
    make_database(f, 300);
    long page =
        strtol(fixture_ask(f->path, "SELECT rootpage FROM sqlite_master WHERE name = 'evaluation'"), NULL, 10);
    int file = open(f->path, O_WRONLY);
    char noise[4096];
    memset(noise, 0xa5, sizeof noise);
    assert_int_equal(pwrite(file, noise, sizeof noise, (page - 1) * 4096), sizeof noise);
    close(file);

    struct store *store = fixture_open(f);
    size_t count = 0;
    assert_false(store_finished(store, &f->problem, "time", NULL, count_row, &count, &f->error));
    assert_error(f, "is damaged (");
    int64_t run = fixture_begin(f, store), id;
    struct evaluation evaluation = fixture_success(1);
    assert_false(store_put(store, run, "{\"TILE\":1000}", &evaluation, &id, &f->error));
    assert_error(f, "is damaged (");
    store_close(store);
}

/* Root ignores permissions, so run `check` in a child as nobody. Fails with what `check` found wrong. */
static void as_nobody(void (*check)(struct fixture *f), struct fixture *f)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(2);
        check(f);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define child_expects(condition)                                                                                     \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            fprintf(stderr, "%s:%d: %s does not hold: %s\n", __FILE__, __LINE__, #condition, f->error.text);         \
            _exit(1);                                                                                                \
        }                                                                                                            \
    } while (0)

static void check_a_read_only_database(struct fixture *f)
{
    struct store *store;
    child_expects(!store_open(f->path, false, &store, &f->error));
    child_expects(strstr(f->error.text, "can be read but not written") && f->error.hint[0]);
    child_expects(f->error.code == ERROR_SYSTEM);

    child_expects(store_open(f->path, true, &store, &f->error));
    size_t count = 0;
    child_expects(store_finished(store, &f->problem, "time", NULL, count_row, &count, &f->error));
    child_expects(count == 10);
    int64_t run;
    child_expects(!store_run_begin(store, &f->problem, &f->run, &run, &f->error));
    child_expects(strstr(f->error.text, "can be read but not written") && f->error.hint[0]);
    store_close(store);
}

/* What is read without locks may change meanwhile, which shows. */
static void a_file_of_others_is_watched(void **state)
{
    struct fixture *f = *state;
    struct store *store;
    store_close(fixture_open(f));
    assert_true(store_open_untouched(f->path, &store, &f->error));
    assert_true(store_is_unchanged(store));
    const struct timespec times[] = {{1000000000, 1}, {1000000000, 1}};
    assert_int_equal(utimensat(AT_FDCWD, f->path, times, 0), 0);
    assert_false(store_is_unchanged(store));
    store_close(store);

    struct store *writer = fixture_open(f);
    fixture_begin(f, writer); /* there is a journal now, hence a snapshot of one moment */
    assert_true(store_open_untouched(f->path, &store, &f->error));
    assert_int_equal(utimensat(AT_FDCWD, f->path, times, 0), 0);
    assert_true(store_is_unchanged(store));
    store_close(store);
    store_close(writer);
}

/* A reader leaves the WAL files behind, which would allow writing in a read-only folder. */
static void remove_side_files(struct fixture *f)
{
    static const char *const endings[] = {"-wal", "-shm"};
    for (size_t i = 0; i < 2; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s%s", f->path, endings[i]);
        unlink(path);
    }
}

static void a_read_only_file_or_folder_is_readable(void **state)
{
    struct fixture *f = *state;
    make_database(f, 10);
    /* the file alone */
    assert_int_equal(chmod(f->path, 0444), 0);
    assert_int_equal(chmod(f->folder, 0777), 0);
    as_nobody(check_a_read_only_database, f);
    remove_side_files(f);
    /* both */
    assert_int_equal(chmod(f->folder, 0555), 0);
    as_nobody(check_a_read_only_database, f);
    /* the folder alone */
    assert_int_equal(chmod(f->path, 0666), 0);
    as_nobody(check_a_read_only_database, f);
}

static void check_a_leftover_journal(struct fixture *f)
{
    struct store *store;
    child_expects(!store_open(f->path, true, &store, &f->error));
    child_expects(strstr(f->error.text, "there is a leftover journal") && f->error.hint[0]);
}

/* As after a kill: the latest rows are only in the WAL and must not be silently ignored. */
static void a_leftover_journal_in_a_read_only_folder(void **state)
{
    struct fixture *f = *state;
    char path[256], wal[300], command[1024];
    make_database(f, 10);
    struct store *store = fixture_open(f);
    fill(f, store, fixture_begin(f, store), 10, 5);
    snprintf(path, sizeof path, "%s/copy.db", f->folder);
    snprintf(wal, sizeof wal, "%s-wal", path);
    snprintf(command, sizeof command, "cp %s %s && cp %s-wal %s", f->path, path, f->path, wal);
    assert_int_equal(system(command), 0);
    store_close(store);
    strcpy(f->path, path);
    assert_int_equal(chmod(wal, 0444), 0);
    assert_int_equal(chmod(f->folder, 0555), 0);
    as_nobody(check_a_leftover_journal, f);
}

static void check_a_folder_that_cannot_be_created(struct fixture *f)
{
    struct store *store;
    snprintf(f->path, sizeof f->path, "%s/below/tune.db", f->folder);
    child_expects(!store_open(f->path, false, &store, &f->error));
    child_expects(strstr(f->error.text, "cannot create the folder") && strstr(f->error.text, "Permission denied"));
}

static void a_folder_that_cannot_be_created(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(chmod(f->folder, 0555), 0);
    as_nobody(check_a_folder_that_cannot_be_created, f);
}

static void a_store_opened_for_reading_refuses_to_write(void **state)
{
    struct fixture *f = *state;
    make_database(f, 1);
    struct store *store;
    assert_true(store_open(f->path, true, &store, &f->error));
    int64_t run;
    assert_false(store_run_begin(store, &f->problem, &f->run, &run, &f->error));
    assert_error(f, "can be read but not written");
    store_close(store);
}

/* Store rows of 40 kB until one does not fit; returns the number stored. */
static int fill_up(struct fixture *f, struct store *store, int64_t run)
{
    enum { LENGTH = 40000, MOST = 1000 };
    char *message = malloc(LENGTH + 1);
    assert_non_null(message);
    memset(message, 'x', LENGTH);
    message[LENGTH] = '\0';
    int count = 0;
    for (bool fits = true; fits && count < MOST; count += fits) {
        char configuration[64];
        snprintf(configuration, sizeof configuration, "{\"BIG\":%d}", count);
        struct evaluation evaluation = fixture_failure(OUTCOME_COMPILE_ERROR, message);
        int64_t id;
        fits = store_put(store, run, configuration, &evaluation, &id, &f->error);
    }
    free(message);
    assert_true(count > 0 && count < MOST);
    assert_error(f, "the disk is full");
    assert_int_equal(f->error.code, ERROR_SYSTEM);
    return count;
}

static int rows(struct fixture *f, struct store *store)
{
    size_t count = 0;
    assert_true(store_finished(store, &f->problem, "time", NULL, count_row, &count, &f->error));
    return (int)count;
}

static void a_full_database_keeps_its_rows_and_recovers(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    assert_int_equal(sqlite3_exec(store->sqlite, "PRAGMA max_page_count = 200", NULL, NULL, NULL), SQLITE_OK);
    int count = fill_up(f, store, run);
    assert_int_equal(rows(f, store), count);
    assert_int_equal(sqlite3_exec(store->sqlite, "PRAGMA max_page_count = 100000", NULL, NULL, NULL), SQLITE_OK);
    fixture_put(f, store, run, "{\"AFTER\":1}", fixture_success(5));
    assert_int_equal(rows(f, store), count + 1);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "PRAGMA quick_check"), "ok");
}

static void a_full_disk_keeps_its_rows_and_recovers(void **state)
{
    struct fixture *f = *state;
    char stuffing[128];
    if (mount("tmpfs", f->folder, "tmpfs", 0, "size=1m") != 0) {
        print_message("mounting is not permitted; the test above covers this without a mount\n");
        skip();
    }
    snprintf(stuffing, sizeof stuffing, "%s/stuffing", f->folder);
    static const char block[300000];
    fixture_write(stuffing, block, sizeof block);
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    int count = fill_up(f, store, run);
    assert_int_equal(rows(f, store), count);
    assert_int_equal(unlink(stuffing), 0);
    fixture_put(f, store, run, "{\"AFTER\":1}", fixture_success(5));
    assert_int_equal(rows(f, store), count + 1);
    store_close(store);
    assert_string_equal(fixture_ask(f->path, "PRAGMA quick_check"), "ok");
}

static void a_lock_held_too_long_is_reported(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store), id;
    sqlite3 *other;
    assert_int_equal(sqlite3_open(f->path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    store_set_patience(store, 100);
    struct evaluation evaluation = fixture_success(1);
    assert_false(store_put(store, run, "{}", &evaluation, &id, &f->error));
    assert_error(f, "was locked by another program for more than 0.1 s");
    /* reading and opening still work */
    assert_int_equal(rows(f, store), 0);
    store_close(fixture_open(f));
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_true(store_put(store, run, "{}", &evaluation, &id, &f->error));
    sqlite3_close(other);
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_new_file_is_marked_and_uses_a_wal),
        unit(an_open_store_rejects_orphans),
        unit(an_empty_file_becomes_a_new_database),
        unit(names_special_to_sqlite_are_plain_files),
        unit(a_file_that_is_not_a_database_is_refused_and_left_alone),
        unit(another_programs_database_is_refused_and_left_alone),
        unit(a_newer_schema_is_refused),
        unit(paths_that_cannot_be_a_database),
        unit(a_truncated_file_is_damaged),
        unit(a_journal_that_names_another_file_is_refused),
        unit(damage_found_after_opening_is_reported),
        unit(a_file_of_others_is_watched),
        unit(a_read_only_file_or_folder_is_readable),
        unit(a_leftover_journal_in_a_read_only_folder),
        unit(a_folder_that_cannot_be_created),
        unit(a_store_opened_for_reading_refuses_to_write),
        unit(a_full_database_keeps_its_rows_and_recovers),
        unit(a_full_disk_keeps_its_rows_and_recovers),
        unit(a_lock_held_too_long_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
