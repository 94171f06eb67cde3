/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole sweeps on the CPU device with failing allocations, in the parent and in its workers. In the parent, a failed
 * allocation is a clean error; in a worker, it costs another attempt; neither shows in any row.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tests/unit/failing_allocator.h"
#include "tests/unit/workers/remains.h"
#include "tuner/engine/effect.h"
#include "tuner/engine/sweep.h"
#include "tuner/workers/describe.h"
#include "tuner/workers/worker_main.h"

#include <fcntl.h>
#include <sqlite3.h>

/* Failing allocations tried in each process, spread evenly; $TUNE_TEST_ALLOCATIONS raises the number. */
enum { PARENT = 16, MEASURING = 10, COMPILING = 6, CONFIGURATIONS = 6 };

static char folder[512], mark[600], database[600];
static struct device_description cpu;
static struct template *template;
static struct space *space;
static struct problem *problem;

static void forget_database(void)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char path[620];
        snprintf(path, sizeof path, "%s%s", database, ends[i]);
        unlink(path);
    }
}

/* The first column of the first row as an allocated string; "" without a row. */
static char *ask(const char *sql)
{
    sqlite3 *sqlite;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(database, &sqlite, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL), SQLITE_OK);
    bool found = sqlite3_step(statement) == SQLITE_ROW;
    char *answer = strdup(found ? (const char *)sqlite3_column_text(statement, 0) : "");
    sqlite3_finalize(statement);
    sqlite3_close(sqlite);
    return answer;
}

static bool sweep(struct store *store, struct error *error)
{
    struct sweep_summary summary;
    struct effects effects = {0};
    const struct sweep_options options = {
        .strategy = strategy_find("exhaustive"),
        .strategy_text = "exhaustive",
        .seed = 1,
        .budget_text = "",
        .crew.compile_jobs = 1,
        .effects = &effects,
    };
    bool done = sweep_run(problem, store, &options, NULL, NULL, &summary, error);
    effects_clear(&effects);
    return done;
}

static size_t row_count(void)
{
    char *count = ask("SELECT count(*) FROM evaluation");
    size_t rows = strtoul(count, NULL, 10);
    free(count);
    return rows;
}

/* Every configuration is valid, so a row that says otherwise is wrong. */
static void check_rows(const char *what, size_t n)
{
    char *row = ask("SELECT outcome || ': ' || message FROM evaluation WHERE outcome <> 'ok'");
    if (row[0])
        fail_msg("%s allocation %zu: a row says %s", what, n, row);
    free(row);
}

static size_t failures_to_try(size_t usual)
{
    const char *wanted = getenv("TUNE_TEST_ALLOCATIONS");
    return wanted ? strtoul(wanted, NULL, 10) : usual;
}

static void test_failures_in_the_parent(void **state)
{
    (void)state;
    size_t total = 0, step = 1, runs = failures_to_try(PARENT);
    for (size_t n = 0; n <= total; n += step) {
        struct error error = {0};
        struct store *store = NULL;
        forget_database();
        assert_success(store_open(database, false, &store, &error), &error);
        failing_allocator_begin(n);
        bool done = sweep(store, &error);
        bool failed = failing_allocator_end();
        if (n == 0) {
            assert_success(done, &error);
            total = failing_allocator.count;
            step = 1 + total / runs;
        }
        if (!done && (!failed || error.code != ERROR_OUT_OF_MEMORY))
            fail_msg("allocation %zu of %zu: code %d: %s", n, total, (int)error.code, error.text);
        check_rows("the parent's", n);
        /* The sweep then resumes normally. */
        assert_success(sweep(store, &error), &error);
        assert_int_equal(row_count(), CONFIGURATIONS);
        check_rows("after the parent's", n);
        store_close(store);
    }
}

/* Fail the n-th allocation of the first `role` worker. Returns whether it was reached. */
static bool sweep_with_failing_worker(const char *role, size_t n)
{
    struct error error = {0};
    struct store *store = NULL;
    FILE *file = fopen(mark, "w");
    assert_non_null(file);
    fprintf(file, "%s %zu\n", role, n);
    assert_int_equal(fclose(file), 0);
    forget_database();
    assert_success(store_open(database, false, &store, &error), &error);
    assert_success(sweep(store, &error), &error);
    store_close(store);
    check_rows(role, n);
    assert_int_equal(row_count(), CONFIGURATIONS);
    unlink(mark);
    char done[620];
    snprintf(done, sizeof done, "%s.failed", mark);
    bool failed = access(done, F_OK) == 0;
    unlink(done);
    return failed;
}

static void fail_worker(const char *role, size_t runs)
{
    size_t failures = 0;
    /* The total is not known here. */
    for (size_t n = 1; failures < runs; n += 1 + n / 3) {
        if (!sweep_with_failing_worker(role, n))
            break;
        failures++;
    }
    assert_true(failures >= 3);
}

static void test_failures_in_a_measuring_worker(void **state)
{
    (void)state;
    fail_worker("measure", failures_to_try(MEASURING));
}

static void test_failures_in_a_compile_worker(void **state)
{
    (void)state;
    fail_worker("compile", failures_to_try(COMPILING));
}

/* ---- parameters without effect */

static bool find_idle(const struct problem *many, struct error *error)
{
    char image[] = "same";
    struct effects effects = {0};
    struct idle_parameters idle = {0};
    bool done = true;
    for (size_t i = 0; done && i < problem_configuration_count(many); i++) {
        const struct candidate candidate = {.index = i, .image = image, .image_bytes = sizeof image};
        done = effects_note(&effects, &candidate) || error_out_of_memory(error);
    }
    done = done && effects_find(&effects, many, &idle, error);
    if (done) {
        char *text = idle_parameter_text(&idle.list[0], many);
        assert_int_equal(idle.count, 2);
        assert_int_equal(idle.list[0].pairs, 64 * 64 * 63 / 2);
        done = text || error_out_of_memory(error);
        free(text);
    } else {
        assert_null(idle.list);
    }
    idle_parameters_clear(&idle);
    effects_clear(&effects);
    return done;
}

static void test_failures_of_the_search_for_effects(void **state)
{
    (void)state;
    static const char folder_of_idle[] = TUNE_SOURCE_FOLDER "/tests/unit/engine/templates/idle";
    static const char text[] = "space s of idle\nset A = 32\nparam B = range(64)\nparam C = range(64)\nset D = 1\n";
    struct template *idle = NULL;
    struct space *wide = NULL;
    struct problem *many = NULL;
    struct error error = {0};
    size_t total = 0;
    assert_success(template_read(folder_of_idle, &idle, &error) &&
                       space_parse("s.space", text, strlen(text), idle, &wide, &error) &&
                       problem_create(idle, wide, &cpu, NULL, 0, &many, &error),
                   &error);
    for (size_t n = 0; n <= total; n++) {
        error = (struct error){0};
        failing_allocator_begin(n);
        bool done = find_idle(many, &error);
        bool failed = failing_allocator_end();
        if (n == 0)
            total = failing_allocator.count;
        assert_int_equal(done, n == 0);
        assert_int_equal(failed, n > 0);
        assert_int_equal(error.code == ERROR_OUT_OF_MEMORY, n > 0);
    }
    assert_true(total > 10);
    problem_free(many);
    space_free(wide);
    template_free(idle);
}

/* ---- as a worker */

static void leave_mark(void)
{
    char done[620];
    snprintf(done, sizeof done, "%s.failed", mark);
    close(creat(done, 0600));
}

static int run_worker(const char *role, int socket)
{
    char wanted[32];
    size_t n;
    snprintf(mark, sizeof mark, "%s", getenv("TUNE_TEST_MARK"));
    FILE *file = fopen(mark, "r");
    bool mine = file && fscanf(file, "%31s %zu", wanted, &n) == 2 && strcmp(wanted, role) == 0 && unlink(mark) == 0;
    if (file)
        fclose(file);
    if (mine) {
        failing_allocator_take_jansson();
        failing_allocator.on_failure = leave_mark;
        failing_allocator_begin(n);
    }
    return worker_main(role, socket);
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--worker") == 0)
        return run_worker(arguments[2], atoi(arguments[3]));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures_in_the_parent),
        cmocka_unit_test(test_failures_in_a_measuring_worker),
        cmocka_unit_test(test_failures_in_a_compile_worker),
        cmocka_unit_test(test_failures_of_the_search_for_effects),
    };
    static const char templates[] = TUNE_SOURCE_FOLDER "/tests/unit/engine/templates/scale";
    struct error error;
    char cache[600], command[700];
    if (remains_own_folder(folder, sizeof folder) != 0)
        return 1;
    snprintf(mark, sizeof mark, "%s/mark", folder);
    snprintf(database, sizeof database, "%s/test.db", folder);
    snprintf(cache, sizeof cache, "%s/.cache", folder);
    setenv("TUNE_TEST_MARK", mark, 1);
    setenv("XDG_CACHE_HOME", cache, 1);
    unsetenv("TUNE_CACHE_BYTES");
    failing_allocator_take_jansson();
    int failures = 1;
    if (describe_device("cpu", 0, &cpu, &error) && template_read(templates, &template, &error) &&
        space_read(TUNE_SOURCE_FOLDER "/tests/unit/engine/templates/scale/blocks.space", template, &space, &error) &&
        problem_create(template, space, &cpu, NULL, 0, &problem, &error))
        failures = cmocka_run_group_tests(tests, NULL, NULL);
    else
        error_print(&error, stderr);
    problem_free(problem);
    space_free(space);
    template_free(template);
    forget_database();
    snprintf(command, sizeof command, "rm -r '%s'", cache);
    if (system(command) != 0 || rmdir(folder) != 0)
        return 1;
    return failures;
}
