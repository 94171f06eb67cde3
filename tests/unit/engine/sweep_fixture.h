/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_fixture.h - whole sweeps on the CPU device: a problem, a database and an observer.
 */
#ifndef TUNE_TESTS_UNIT_ENGINE_SWEEP_FIXTURE_H
#define TUNE_TESTS_UNIT_ENGINE_SWEEP_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/workers/remains.h"
#include "tuner/device/monotonic.h"
#include "tuner/engine/identity.h"
#include "tuner/engine/single.h"
#include "tuner/engine/sweep.h"
#include "tuner/workers/describe.h"
#include "tuner/workers/worker_main.h"

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char templates[] = TUNE_SOURCE_FOLDER "/tests/unit/engine/templates/";
static struct device_description cpu;

/* ---- a problem, a database and an observer */

struct sweep_fixture {
    struct template *template;
    struct space *space;
    struct problem *problem;
    struct store *store;
    char database[600];
    struct remains before;
    struct sweep_options options;
    struct sweep_summary summary;
    struct error error;
    volatile sig_atomic_t interrupted;

    /* what the observer has seen, and an action it takes once */
    size_t rows, rounds, last_done;
    double last_best_ns;
    size_t act_at, act_in; /* row or round of the finals that triggers `act`; 0: never */
    void (*act)(struct sweep_fixture *fixture);
    size_t hit; /* what `act` hit: processes, or 1 for anything else */
};

static inline void print_and_fail(const struct error *error)
{
    error_print(error, stderr);
    fail();
}

static inline void open_store(struct sweep_fixture *fixture, bool read_only)
{
    store_close(fixture->store);
    fixture->store = NULL;
    if (!store_open(fixture->database, read_only, &fixture->store, &fixture->error))
        print_and_fail(&fixture->error);
}

static inline void open_space(struct sweep_fixture *fixture, const char *folder, const char *space)
{
    char path[600];
    problem_free(fixture->problem);
    space_free(fixture->space);
    fixture->problem = NULL;
    fixture->space = NULL;
    snprintf(path, sizeof path, "%s%s/%s.space", templates, folder, space);
    if (!space_read(path, fixture->template, &fixture->space, &fixture->error) ||
        !problem_create(fixture->template, fixture->space, &cpu, NULL, 0, &fixture->problem, &fixture->error))
        print_and_fail(&fixture->error);
}

static inline void sweep_fixture_open(struct sweep_fixture *fixture, const char *folder, const char *space)
{
    char path[600];
    *fixture = (struct sweep_fixture){.before = remains_now()};
    snprintf(path, sizeof path, "%s%s", templates, folder);
    if (!template_read(path, &fixture->template, &fixture->error))
        print_and_fail(&fixture->error);
    open_space(fixture, folder, space);
    snprintf(fixture->database, sizeof fixture->database, "%s/test.db", getenv("TMPDIR"));
    open_store(fixture, false);
    fixture->options = (struct sweep_options){
        .strategy = strategy_find("exhaustive"),
        .strategy_text = "exhaustive",
        .seed = 1,
        .budget_text = "",
        .crew.compile_jobs = 2,
        .interrupted = &fixture->interrupted,
    };
    assert_non_null(fixture->options.strategy);
}

static inline void sweep_fixture_close(struct sweep_fixture *fixture)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    store_close(fixture->store);
    problem_free(fixture->problem);
    space_free(fixture->space);
    template_free(fixture->template);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char path[700];
        snprintf(path, sizeof path, "%s%s", fixture->database, suffixes[i]);
        unlink(path);
    }
    remains_equal(fixture->before, remains_now());
}

static inline void observe(const struct sweep_progress *progress, const struct evaluation *latest,
                           const char *configuration, void *context)
{
    struct sweep_fixture *fixture = context;
    if (!latest) {
        assert_null(configuration);
        assert_int_equal(progress->final_round, ++fixture->rounds);
        assert_in_range(progress->finalists, 1, 16);
        if (fixture->act && fixture->rounds == fixture->act_in)
            fixture->act(fixture);
        return;
    }
    assert_int_equal(progress->final_round, 0);
    fixture->rows++;
    assert_int_equal(progress->done, fixture->last_done + 1);
    assert_true(progress->done <= progress->total);
    bool by_time = !fixture->options.objective; /* with other objectives the best may take longer or have no value */
    assert_true((progress->best_ns > 0) == (progress->best_configuration != NULL));
    assert_non_null(latest->message);
    assert_int_equal(configuration[0], '{');
    /* A stored row may have won or lost finals despite its time. */
    bool measured = latest->outcome == OUTCOME_OK && latest->sample_count > 0;
    if (by_time && measured)
        assert_true(progress->best_ns > 0 && progress->best_ns <= latest->time_ns);
    if (by_time && measured && fixture->last_best_ns > 0)
        assert_true(progress->best_ns <= fixture->last_best_ns);
    fixture->last_done = progress->done;
    fixture->last_best_ns = progress->best_ns;
    if (fixture->act && fixture->rows == fixture->act_at)
        fixture->act(fixture);
}

static inline bool sweep(struct sweep_fixture *fixture)
{
    fixture->rows = fixture->rounds = fixture->last_done = fixture->hit = 0;
    fixture->last_best_ns = 0;
    bool done = sweep_run(fixture->problem, fixture->store, &fixture->options, observe, fixture, &fixture->summary,
                          &fixture->error);
    assert_int_equal(fixture->rows, fixture->summary.progress.done);
    assert_int_equal(remains_children(getpid(), "", NULL, 0), fixture->before.children);
    return done;
}

static inline void sweep_well(struct sweep_fixture *fixture, const char *status)
{
    if (!sweep(fixture))
        print_and_fail(&fixture->error);
    assert_string_equal(fixture->summary.status, status);
}

/* ---- the database, through a separate connection */

static inline double number(const struct sweep_fixture *fixture, const char *query)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(fixture->database, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    sqlite3_busy_timeout(database, 10000); /* milliseconds: it may be about to change its journal */
    if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", query, sqlite3_errmsg(database));
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    double result = sqlite3_column_double(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return result;
}

static inline size_t count_rows(const struct sweep_fixture *fixture, const char *where)
{
    char query[1024];
    snprintf(query, sizeof query, "SELECT count(*) FROM evaluation WHERE %s", where);
    return (size_t)number(fixture, query);
}

static inline size_t count_runs(const struct sweep_fixture *fixture, const char *status)
{
    char query[512];
    snprintf(query, sizeof query, "SELECT count(*) FROM run WHERE status = '%s'", status);
    return (size_t)number(fixture, query);
}

/* ---- killing workers and interrupting */

static inline size_t kill_workers(const char *role)
{
    pid_t pids[8];
    size_t count = remains_children(getpid(), role, pids, 8);
    for (size_t i = 0; i < count && i < 8; i++)
        assert_int_equal(kill(pids[i], SIGKILL), 0);
    return count;
}

static inline void interrupt(struct sweep_fixture *fixture)
{
    fixture->interrupted = 1;
}

/* Run the tests in a scratch folder with a shared image cache, as few of them exercise the compiler. */
static inline int sweep_tests_main(int count, char **arguments, const char *name, const struct CMUnitTest *tests,
                                   size_t test_count)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return worker_main(arguments[2], atoi(arguments[3]));
    char folder[512], spoil_path[600], cache[600], command[700];
    struct error error;
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    snprintf(spoil_path, sizeof spoil_path, "%s/spoil", folder);
    setenv("TUNE_TEST_SPOIL", spoil_path, 1);
    snprintf(cache, sizeof cache, "%s/.cache", folder);
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    setenv("XDG_CACHE_HOME", cache, 1);
    unsetenv("TUNE_CACHE_BYTES");
    if (!describe_device("cpu", 0, &cpu, &error)) {
        error_print(&error, stderr);
        return 1;
    }
    int failed = _cmocka_run_group_tests(name, tests, test_count, NULL, NULL);
    return system(command) == 0 && rmdir(folder) == 0 ? failed : 1;
}

#endif
