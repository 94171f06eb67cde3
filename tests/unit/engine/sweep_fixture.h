/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_fixture.h - whole sweeps on the CPU device: a problem, a database, and what is seen of a sweep.
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

/* ---- a problem, a database, and what is seen of a sweep */

struct desk {
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

    /* what the observer saw, and what it is to do */
    size_t rows, rounds, last_done;
    double last_best_ns;
    size_t act_at, act_in; /* row, round of the finals; 0: never */
    void (*act)(struct desk *desk);
    size_t hit; /* by the act */
};

static inline void print_and_fail(const struct error *error)
{
    error_print(error, stderr);
    fail();
}

static inline void open_store(struct desk *desk, bool read_only)
{
    store_close(desk->store);
    desk->store = NULL;
    if (!store_open(desk->database, read_only, &desk->store, &desk->error))
        print_and_fail(&desk->error);
}

static inline void open_space(struct desk *desk, const char *folder, const char *space)
{
    char path[600];
    problem_free(desk->problem);
    space_free(desk->space);
    desk->problem = NULL;
    desk->space = NULL;
    snprintf(path, sizeof path, "%s%s/%s.space", templates, folder, space);
    if (!space_read(path, desk->template, &desk->space, &desk->error) ||
        !problem_create(desk->template, desk->space, &cpu, NULL, 0, &desk->problem, &desk->error))
        print_and_fail(&desk->error);
}

static inline void open_desk(struct desk *desk, const char *folder, const char *space)
{
    char path[600];
    *desk = (struct desk){.before = remains_now()};
    snprintf(path, sizeof path, "%s%s", templates, folder);
    if (!template_read(path, &desk->template, &desk->error))
        print_and_fail(&desk->error);
    open_space(desk, folder, space);
    snprintf(desk->database, sizeof desk->database, "%s/test.db", getenv("TMPDIR"));
    open_store(desk, false);
    desk->options = (struct sweep_options){
        .strategy = strategy_find("exhaustive"),
        .strategy_text = "exhaustive",
        .seed = 1,
        .budget_text = "",
        .crew.compile_jobs = 2,
        .interrupted = &desk->interrupted,
    };
    assert_non_null(desk->options.strategy);
}

static inline void close_desk(struct desk *desk)
{
    static const char *const suffixes[] = {"", "-wal", "-shm"};
    store_close(desk->store);
    problem_free(desk->problem);
    space_free(desk->space);
    template_free(desk->template);
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char path[700];
        snprintf(path, sizeof path, "%s%s", desk->database, suffixes[i]);
        unlink(path);
    }
    remains_equal(desk->before, remains_now());
}

static inline void observe(const struct sweep_progress *progress, const struct evaluation *latest,
                           const char *configuration, void *context)
{
    struct desk *desk = context;
    if (!latest) {
        assert_null(configuration);
        assert_int_equal(progress->final_round, ++desk->rounds);
        assert_in_range(progress->finalists, 1, 16);
        if (desk->act && desk->rounds == desk->act_in)
            desk->act(desk);
        return;
    }
    assert_int_equal(progress->final_round, 0);
    desk->rows++;
    assert_int_equal(progress->done, desk->last_done + 1);
    assert_true(progress->done <= progress->total);
    bool by_time = !desk->options.objective; /* else the best may take longer, or have no value */
    assert_true((progress->best_ns > 0) == (progress->best_configuration != NULL));
    assert_non_null(latest->message);
    assert_int_equal(configuration[0], '{');
    /* A row of the database may have won or lost a final against its time. */
    bool measured = latest->outcome == OUTCOME_OK && latest->sample_count > 0;
    if (by_time && measured)
        assert_true(progress->best_ns > 0 && progress->best_ns <= latest->time_ns);
    if (by_time && measured && desk->last_best_ns > 0)
        assert_true(progress->best_ns <= desk->last_best_ns);
    desk->last_done = progress->done;
    desk->last_best_ns = progress->best_ns;
    if (desk->act && desk->rows == desk->act_at)
        desk->act(desk);
}

static inline bool sweep(struct desk *desk)
{
    desk->rows = desk->rounds = desk->last_done = desk->hit = 0;
    desk->last_best_ns = 0;
    bool done = sweep_run(desk->problem, desk->store, &desk->options, observe, desk, &desk->summary, &desk->error);
    assert_int_equal(desk->rows, desk->summary.progress.done);
    assert_int_equal(remains_children(getpid(), "", NULL, 0), desk->before.children);
    return done;
}

static inline void sweep_well(struct desk *desk, const char *status)
{
    if (!sweep(desk))
        print_and_fail(&desk->error);
    assert_string_equal(desk->summary.status, status);
}

/* ---- the database, as another program sees it */

static inline double number(const struct desk *desk, const char *query)
{
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(desk->database, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", query, sqlite3_errmsg(database));
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    double result = sqlite3_column_double(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return result;
}

static inline size_t count_rows(const struct desk *desk, const char *where)
{
    char query[1024];
    snprintf(query, sizeof query, "SELECT count(*) FROM evaluation WHERE %s", where);
    return (size_t)number(desk, query);
}

static inline size_t count_runs(const struct desk *desk, const char *status)
{
    char query[512];
    snprintf(query, sizeof query, "SELECT count(*) FROM run WHERE status = '%s'", status);
    return (size_t)number(desk, query);
}

/* ---- workers that are killed, users that interrupt, disks that fill up */

static inline size_t kill_workers(const char *role)
{
    pid_t pids[8];
    size_t count = remains_children(getpid(), role, pids, 8);
    for (size_t i = 0; i < count && i < 8; i++)
        assert_int_equal(kill(pids[i], SIGKILL), 0);
    return count;
}

static inline void interrupt(struct desk *desk)
{
    desk->interrupted = 1;
}

/* Run the tests in a folder of their own, with one cache of images: what they are about is seldom the compiler. */
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
