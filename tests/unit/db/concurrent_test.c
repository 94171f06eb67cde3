/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { ROUNDS = 20, SHARED_ROWS = 500 };

/* In a child: write rows for ever, reporting each once the store has accepted it. */
static void write_for_ever(struct fixture *f, int round, int report)
{
    struct store *store;
    int64_t run;
    if (!store_open(f->path, false, &store, &f->error) ||
        !store_run_begin(store, &f->problem, &f->run, &run, &f->error))
        _exit(1);
    for (int i = 0;; i++) {
        char configuration[64];
        snprintf(configuration, sizeof configuration, "{\"ROUND\":%d,\"I\":%d}", round, i);
        struct evaluation evaluation = fixture_success(1000 + i);
        int64_t id;
        if (!store_put(store, run, configuration, &evaluation, &id, &f->error) ||
            write(report, &id, sizeof id) != sizeof id)
            _exit(1);
    }
}

static void expect_row(sqlite3 *sqlite, int64_t id)
{
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_prepare_v2(sqlite, "SELECT 1 FROM evaluation WHERE id = ?", -1, &statement, NULL),
                     SQLITE_OK);
    sqlite3_bind_int64(statement, 1, id);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    sqlite3_finalize(statement);
}

static int check_reported(struct fixture *f, int report)
{
    sqlite3 *sqlite;
    int64_t id;
    int count = 0;
    assert_int_equal(sqlite3_open(f->path, &sqlite), SQLITE_OK);
    while (read(report, &id, sizeof id) == sizeof id) {
        expect_row(sqlite, id);
        count++;
    }
    sqlite3_close(sqlite);
    return count;
}

static void reported_rows_survive_a_kill(void **state)
{
    struct fixture *f = *state;
    srand(20240217);
    int reported = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int report[2];
        assert_int_equal(pipe(report), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(report[0]);
            write_for_ever(f, round, report[1]);
        }
        close(report[1]);
        /* Every other round dies at a random moment, even while opening; the rest while rows are being written. */
        struct pollfd first = {.fd = report[0], .events = POLLIN};
        if (round % 2)
            assert_int_equal(poll(&first, 1, 60000), 1);
        struct timespec pause = {0, 1000000L * (rand() % 90)};
        nanosleep(&pause, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        reported += check_reported(f, report[0]);
        close(report[0]);
        if (access(f->path, F_OK) == 0)
            assert_string_equal(fixture_ask(f->path, "PRAGMA quick_check"), "ok");
    }
    assert_true(reported >= ROUNDS / 2);
    store_close(fixture_open(f));
}

static void copy_file(const char *from, const char *to)
{
    static char bytes[1 << 24];
    size_t length = fixture_read(from, bytes, sizeof bytes);
    assert_true(length < sizeof bytes);
    fixture_write(to, bytes, length);
}

/* Like a snapshot of the disk: the file and its journal, caught in the middle of a write. */
static void a_copy_taken_during_writes_is_valid(void **state)
{
    enum { COPIES = 12 };
    struct fixture *f = *state;
    int report[2];
    assert_int_equal(pipe(report), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(report[0]);
        write_for_ever(f, 0, report[1]);
    }
    close(report[1]);
    srand(20240218);
    char path[128], wal[160], copy[128], copied_wal[160];
    snprintf(path, sizeof path, "%s", f->path);
    snprintf(wal, sizeof wal, "%s-wal", path);
    snprintf(copy, sizeof copy, "%s/copy.db", f->folder);
    snprintf(copied_wal, sizeof copied_wal, "%s-wal", copy);
    int64_t last = 0;
    for (int i = 0; i < COPIES; i++) {
        assert_int_equal(read(report[0], &last, sizeof last), sizeof last);
        struct timespec pause = {0, 1000L * (rand() % 5000)};
        nanosleep(&pause, NULL);
        int status;
        assert_int_equal(kill(child, SIGSTOP), 0);
        assert_int_equal(waitpid(child, &status, WUNTRACED), child);
        assert_true(WIFSTOPPED(status));
        copy_file(path, copy);
        copy_file(wal, copied_wal);
        assert_int_equal(kill(child, SIGCONT), 0);
        char rows[96];
        snprintf(rows, sizeof rows, "SELECT count(*) >= %lld FROM evaluation", (long long)last);
        snprintf(f->path, sizeof f->path, "%s", copy);
        store_close(fixture_open(f));
        assert_string_equal(fixture_ask(copy, rows), "1");
        assert_string_equal(fixture_ask(copy, "PRAGMA integrity_check"), "ok");
        unlink(copy);
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(report[0]);
}

/* In a child: write rows, some for the same configurations as the other child. */
static void write_shared(struct fixture *f, int from)
{
    struct store *store;
    int64_t run;
    if (!store_open(f->path, false, &store, &f->error) ||
        !store_run_begin(store, &f->problem, &f->run, &run, &f->error)) {
        fprintf(stderr, "%s\n", f->error.text);
        _exit(1);
    }
    for (int i = from; i < from + SHARED_ROWS; i++) {
        char configuration[64];
        snprintf(configuration, sizeof configuration, "{\"I\":%d}", i);
        struct evaluation evaluation = fixture_success(1000 + i);
        int64_t id;
        if (!store_put(store, run, configuration, &evaluation, &id, &f->error)) {
            fprintf(stderr, "%s\n", f->error.text);
            _exit(1);
        }
    }
    store_close(store);
    _exit(0);
}

static void two_programs_write_to_one_new_file(void **state)
{
    struct fixture *f = *state;
    pid_t children[2];
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            write_shared(f, i * SHARED_ROWS / 2);
    }
    for (int i = 0; i < 2; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    /* 0..499 and 250..749 make 750 configurations of one problem; each run lists its own 500, numbered 1 to 500 */
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM evaluation"), "750");
    assert_string_equal(fixture_ask(f->path, "SELECT count(DISTINCT configuration) FROM evaluation"), "750");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM problem"), "1");
    assert_string_equal(fixture_ask(f->path, "SELECT count(*) FROM device"), "1");
    assert_string_equal(fixture_ask(f->path, "SELECT group_concat(n) FROM (SELECT count(*) || '-' || max(sequence) "
                                             "AS n FROM run_evaluation GROUP BY run)"),
                        "500-500,500-500");
    assert_string_equal(fixture_ask(f->path, "PRAGMA integrity_check"), "ok");
}

static void a_user_reads_while_a_sweep_writes(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    int64_t run = fixture_begin(f, store);
    fixture_put(f, store, run, "{\"A\":1}", fixture_success(2000));
    char command[512];
    snprintf(command, sizeof command, "sqlite3 -readonly %s 'select configuration, time_ms from best' > %s/answer",
             f->path, f->folder);
    if (system("command -v sqlite3 > /dev/null") != 0)
        skip();
    assert_int_equal(sqlite3_exec(store->sqlite, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(system(command), 0);
    assert_int_equal(sqlite3_exec(store->sqlite, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    char path[128], answer[128] = "";
    snprintf(path, sizeof path, "%s/answer", f->folder);
    fixture_read(path, answer, sizeof answer - 1);
    assert_string_equal(answer, "{\"A\":1}|0.002\n");
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(reported_rows_survive_a_kill),
        unit(a_copy_taken_during_writes_is_valid),
        unit(two_programs_write_to_one_new_file),
        unit(a_user_reads_while_a_sweep_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
