/* SPDX-License-Identifier: Apache-2.0 */
/* Killed workers, interrupts and full disks: no finished result is lost. */
#include "tests/unit/engine/sweep_fixture.h"

#include <sys/prctl.h>

static void kill_measuring_worker(struct sweep_fixture *fixture)
{
    fixture->hit = kill_workers("--worker measure");
}

static void kill_compile_workers(struct sweep_fixture *fixture)
{
    fixture->hit = kill_workers("--worker compile");
}

static void test_a_killed_measuring_worker_costs_at_most_a_row(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.act = kill_measuring_worker;
    fixture.act_at = 2;
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.hit, 1);
    assert_int_equal(count_rows(&fixture, "1"), 6);
    assert_in_range(count_rows(&fixture, "outcome = 'ok'"), 5, 6);
    sweep_fixture_close(&fixture);
}

static void test_killed_compile_workers_cost_nothing(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.options.crew.no_cache = true;
    fixture.act = kill_compile_workers;
    fixture.act_at = 1;
    sweep_well(&fixture, "done");
    assert_in_range(fixture.hit, 1, 2);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 6);
    sweep_fixture_close(&fixture);
}

static void test_an_interrupted_sweep_resumes(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.options.crew.no_cache = true;
    fixture.act = interrupt;
    fixture.act_at = 2;
    sweep_well(&fixture, "interrupted");
    size_t done = fixture.summary.progress.done;
    /* One more may have come with the second row, and the measuring worker holds two by then. */
    assert_in_range(done, 2, 5);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), done);
    assert_int_equal(count_runs(&fixture, "interrupted"), 1);
    fixture.act = NULL;
    fixture.interrupted = 0;
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.reused, done);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 6);
    sweep_fixture_close(&fixture);
}

static void forbid_writing(struct sweep_fixture *fixture)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = 1;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    fixture->hit = 1;
}

static void allow_writing(void)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void test_a_full_disk_ends_the_sweep_and_loses_nothing(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    signal(SIGXFSZ, SIG_IGN);
    fixture.act = forbid_writing;
    fixture.act_at = 3;
    bool done = sweep(&fixture);
    allow_writing();
    assert_false(done);
    assert_int_equal(fixture.error.code, ERROR_SYSTEM);
    assert_string_equal(fixture.summary.status, "failed");
    fixture.act = NULL;
    open_store(&fixture, false);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 3);
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.reused, 3);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 6);
    sweep_fixture_close(&fixture);
}

static void change(const struct sweep_fixture *fixture, const char *sql)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open_v2(fixture->database, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

/* Of a failure that may not recur the next sweep measures the configuration again; any other is believed. */
static void test_only_lasting_failures_are_believed(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    sweep_well(&fixture, "done");
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 6);
    change(&fixture, "UPDATE evaluation SET outcome = 'crash', time_ns = NULL, transient = 1 WHERE id IN (2, 3);"
                     "UPDATE evaluation SET outcome = 'crash', time_ns = NULL WHERE id = 4");
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.reused, 4);
    assert_int_equal(fixture.summary.progress.done, 6);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok' AND transient IS NULL"), 5);
    assert_int_equal(count_rows(&fixture, "outcome = 'crash' AND id = 4"), 1);
    sweep_fixture_close(&fixture);
}

static void test_a_database_that_cannot_be_written(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    sweep_fixture_open(&fixture, "scale", "blocks");
    open_store(&fixture, true);
    assert_false(sweep(&fixture));
    assert_int_equal(fixture.error.code, ERROR_SYSTEM);
    assert_int_equal(fixture.rows, 0);
    sweep_fixture_close(&fixture);
}

static void stand_still(struct sweep_fixture *fixture)
{
    (void)fixture;
    for (;;)
        pause();
}

/* After kill -9 of the parent its workers exit, its rows remain, and the next sweep removes its folder. */
static void test_a_killed_parent(void **state)
{
    (void)state;
    struct sweep_fixture fixture;
    pid_t workers[8];
    sweep_fixture_open(&fixture, "scale", "blocks");
    fixture.options.crew.no_cache = true;
    store_close(fixture.store);
    fixture.store = NULL;
    char journal[sizeof fixture.database + 8];
    snprintf(journal, sizeof journal, "%s-wal", fixture.database); /* once it is there, so are the tables */
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* should the test fail */
        fixture.act = stand_still;
        fixture.act_at = 4;
        open_store(&fixture, false);
        sweep(&fixture);
        _exit(1);
    }
    double limit = monotonic_seconds() + 60;
    do
        assert_true(monotonic_seconds() < limit && usleep(20000) == 0);
    while (access(journal, F_OK) != 0 || count_rows(&fixture, "1") < 4);
    size_t count = remains_children(child, "--worker", workers, 8);
    assert_in_range(count, 2, 3);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    for (size_t i = 0; i < count; i++)
        assert_true(remains_is_gone(workers[i]));
    assert_int_equal(remains_entries(getenv("TMPDIR"), "tune-scratch-"), 1);
    assert_int_equal(count_runs(&fixture, "running"), 1);
    open_store(&fixture, false); /* notices that the process is gone */
    assert_int_equal(count_runs(&fixture, "killed"), 1);
    sweep_well(&fixture, "done");
    assert_int_equal(fixture.summary.progress.reused, 4);
    assert_int_equal(count_rows(&fixture, "outcome = 'ok'"), 6);
    sweep_fixture_close(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_killed_measuring_worker_costs_at_most_a_row),
        cmocka_unit_test(test_killed_compile_workers_cost_nothing),
        cmocka_unit_test(test_an_interrupted_sweep_resumes),
        cmocka_unit_test(test_a_full_disk_ends_the_sweep_and_loses_nothing),
        cmocka_unit_test(test_only_lasting_failures_are_believed),
        cmocka_unit_test(test_a_database_that_cannot_be_written),
        cmocka_unit_test(test_a_killed_parent),
    };
    return sweep_tests_main(count, arguments, "sweep, robust", tests, sizeof tests / sizeof *tests);
}
