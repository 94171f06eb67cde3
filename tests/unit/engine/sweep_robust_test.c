/* SPDX-License-Identifier: Apache-2.0 */
/* Workers that are killed, users that interrupt, disks that fill up: nothing finished is lost. */
#include "tests/unit/engine/sweep_fixture.h"

static void kill_measurer(struct desk *desk)
{
    desk->hit = kill_workers("--worker measure");
}

static void kill_compilers(struct desk *desk)
{
    desk->hit = kill_workers("--worker compile");
}

static void test_a_killed_measuring_worker_costs_at_most_a_row(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.act = kill_measurer;
    desk.act_at = 2;
    sweep_well(&desk, "done");
    assert_int_equal(desk.hit, 1);
    assert_int_equal(count_rows(&desk, "1"), 6);
    assert_in_range(count_rows(&desk, "outcome = 'ok'"), 5, 6);
    close_desk(&desk);
}

static void test_killed_compile_workers_cost_nothing(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.options.crew.no_cache = true;
    desk.act = kill_compilers;
    desk.act_at = 1;
    sweep_well(&desk, "done");
    assert_in_range(desk.hit, 1, 2);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    close_desk(&desk);
}

static void test_an_interrupted_sweep_goes_on_later(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    desk.options.crew.no_cache = true;
    desk.act = interrupt;
    desk.act_at = 2;
    sweep_well(&desk, "interrupted");
    size_t done = desk.summary.progress.done;
    /* One more may have come with the second row, and two are in the measuring worker's hands by then. */
    assert_in_range(done, 2, 5);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), done);
    assert_int_equal(count_runs(&desk, "interrupted"), 1);
    desk.act = NULL;
    desk.interrupted = 0;
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, done);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    close_desk(&desk);
}

static void forbid_writing(struct desk *desk)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = 1;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    desk->hit = 1;
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
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    signal(SIGXFSZ, SIG_IGN);
    desk.act = forbid_writing;
    desk.act_at = 3;
    bool done = sweep(&desk);
    allow_writing();
    assert_false(done);
    assert_int_equal(desk.error.code, ERROR_SYSTEM);
    assert_string_equal(desk.summary.status, "failed");
    desk.act = NULL;
    open_store(&desk, false);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 3);
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, 3);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    close_desk(&desk);
}

static void test_a_database_that_cannot_be_written(void **state)
{
    (void)state;
    struct desk desk;
    open_desk(&desk, "scale", "blocks");
    open_store(&desk, true);
    assert_false(sweep(&desk));
    assert_int_equal(desk.error.code, ERROR_SYSTEM);
    assert_int_equal(desk.rows, 0);
    close_desk(&desk);
}

static void stand_still(struct desk *desk)
{
    (void)desk;
    for (;;)
        pause();
}

/* kill -9 of the parent: its workers go, its rows stay, and the next sweep removes its folder. */
static void test_a_killed_parent(void **state)
{
    (void)state;
    struct desk desk;
    pid_t workers[8];
    open_desk(&desk, "scale", "blocks");
    desk.options.crew.no_cache = true;
    store_close(desk.store);
    desk.store = NULL;
    pid_t child = fork();
    if (child == 0) {
        desk.act = stand_still;
        desk.act_at = 4;
        open_store(&desk, false);
        sweep(&desk);
        _exit(1);
    }
    double limit = monotonic_seconds() + 60;
    do
        assert_true(monotonic_seconds() < limit && usleep(20000) == 0);
    while (access(desk.database, F_OK) != 0 || count_rows(&desk, "1") < 4);
    size_t count = remains_children(child, "--worker", workers, 8);
    assert_in_range(count, 2, 3);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    for (size_t i = 0; i < count; i++)
        assert_true(remains_is_gone(workers[i]));
    assert_int_equal(remains_entries(getenv("TMPDIR"), "tune-scratch-"), 1);
    assert_int_equal(count_runs(&desk, "running"), 1);
    open_store(&desk, false); /* sees that no one is there any more */
    assert_int_equal(count_runs(&desk, "interrupted"), 1);
    sweep_well(&desk, "done");
    assert_int_equal(desk.summary.progress.reused, 4);
    assert_int_equal(count_rows(&desk, "outcome = 'ok'"), 6);
    close_desk(&desk);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_killed_measuring_worker_costs_at_most_a_row),
        cmocka_unit_test(test_killed_compile_workers_cost_nothing),
        cmocka_unit_test(test_an_interrupted_sweep_goes_on_later),
        cmocka_unit_test(test_a_full_disk_ends_the_sweep_and_loses_nothing),
        cmocka_unit_test(test_a_database_that_cannot_be_written),
        cmocka_unit_test(test_a_killed_parent),
    };
    return sweep_tests_main(count, arguments, "sweep, robust", tests, sizeof tests / sizeof *tests);
}
