/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The store with each allocation failing in turn, SQLite's and jansson's included: every failure is a clean error,
 * and the file holds what it would hold without the failure, or a part of it, never anything else.
 */
#include "counting.h"
#include "fixture.h"

#include "tests/unit/failing_allocator.h"

#include <malloc.h>
#include <sys/stat.h>

enum { RUNS = 40 }; /* of a scenario, roughly; sets how far the failing allocation advances each time */

static void release(void *memory)
{
    free(memory);
}

static void *allocate(int bytes)
{
    return __wrap_malloc((size_t)bytes);
}

static void *reallocate(void *memory, int bytes)
{
    return __wrap_realloc(memory, (size_t)bytes);
}

static int usable(void *memory)
{
    return (int)malloc_usable_size(memory);
}

static int round_up(int bytes)
{
    return (bytes + 7) & ~7;
}

static int begin(void *context)
{
    (void)context;
    return SQLITE_OK;
}

static void end(void *context)
{
    (void)context;
}

static int redirect_library_allocations(void **state)
{
    static const sqlite3_mem_methods methods = {allocate, release, reallocate, usable, round_up, begin, end, NULL};
    (void)state;
    failing_allocator_take_jansson();
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK ? 0 : -1;
}

typedef bool scenario(struct fixture *f);

/* A file's contents without timestamps; `early` also omits what finals change. */
static char *dump(const char *path, bool early)
{
#define LINES(figures)                                                                                               \
    "SELECT group_concat(line, char(10)) FROM (SELECT template.name || problem.size || configuration || outcome || " \
    "message || coalesce(samples_ns, '') || coalesce(registers, '')" figures                                         \
    " AS line FROM evaluation JOIN problem ON problem.id = evaluation.problem JOIN template ON template.id = "       \
    "problem.template ORDER BY evaluation.id)"
    bool made = access(path, F_OK) == 0 &&
                fixture_ask(path, "SELECT name FROM sqlite_schema WHERE name = 'evaluation'")[0] == 'e';
    const char *sql = early ? LINES("")
                            : LINES(" || coalesce(time_ns, '') || coalesce((SELECT group_concat(result) FROM verdict "
                                    "WHERE evaluation = evaluation.id), '')");
    return strdup(made ? fixture_ask(path, sql) : "NULL");
}

/* Is every line of `part` also in `whole`? */
static bool is_part(const char *part, const char *whole)
{
    if (strcmp(part, "NULL") == 0)
        return true;
    for (const char *line = part; *line;) {
        size_t length = strcspn(line, "\n");
        char text[1024];
        assert_true(length < sizeof text);
        memcpy(text, line, length);
        text[length] = '\0';
        if (!strstr(whole, text))
            return false;
        line += length + (line[length] == '\n');
    }
    return true;
}

static void remove_database(const struct fixture *f)
{
    char path[160];
    static const char *const ends[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(path, sizeof path, "%s%s", f->path, ends[i]);
        unlink(path);
    }
}

/* `prepare` creates the file that `run` works on; NULL: `run` starts without one. */
static void fail_each(struct fixture *f, scenario *prepare, scenario *run)
{
    size_t step = 1;
    char *whole = NULL, *lines = NULL;
    for (size_t n = 0;; n += step) {
        remove_database(f);
        if (prepare && !prepare(f))
            fail_msg("%s", f->error.text);
        f->error = (struct error){0};
        failing_allocator_begin(n);
        bool done = run(f);
        bool failed = failing_allocator_end();
        if (n == 0) { /* no failure: gives the expected contents and the number of allocations */
            if (!done)
                fail_msg("%s", f->error.text);
            step = 1 + failing_allocator.count / RUNS;
            whole = dump(f->path, false);
            lines = dump(f->path, true);
            continue;
        }
        if (!done && f->error.code != ERROR_OUT_OF_MEMORY)
            fail_msg("allocation %zu: code %d: %s", n, (int)f->error.code, f->error.text);
        char *part = dump(f->path, !done);
        if (done ? strcmp(part, whole) != 0 : !is_part(part, lines))
            fail_msg("allocation %zu (%s) left\n%s\nof\n%s", n, done ? "done" : f->error.text, part, whole);
        free(part);
        if (!failed)
            break;
    }
    free(whole);
    free(lines);
}

static const char definitions[] = "{\"rate\":{\"text\":\"T / time\",\"sense\":\"maximize\"}}";

static const char tree[] =
    "{\"format\":1,\"sizes\":[\"M\"],\"configurations\":[{\"T\":1}],\"tree\":[{\"configuration\":0}],"
    "\"cases\":[{\"size\":[1024],\"weight\":1.0,\"best\":990.0,\"costs\":[991.0],\"held_out\":1.0}]}";

static bool measure(struct fixture *f)
{
    static const double samples[] = {1000.5, 1002, 1001}, rounds[] = {990, 991};
    struct store *store = NULL;
    struct evaluation first = fixture_success(1000), second = fixture_success(1010),
                      failure = fixture_failure(OUTCOME_WRONG_RESULT, (char *)"C[3]: 1 instead of 2");
    first.samples_ns = (double *)(uintptr_t)samples;
    first.sample_count = 3;
    first.metrics = (char[]){"{\"rate\":2}"};
    f->problem.template_metrics = definitions;
    int64_t run, a, b, c;
    bool done = store_open(f->path, false, &store, &f->error) &&
                store_run_begin(store, &f->problem, &f->run, &run, &f->error) &&
                store_put(store, run, "{\"T\":1}", &first, &a, &f->error) &&
                store_put(store, run, "{\"T\":2}", &second, &b, &f->error) &&
                store_put(store, run, "{\"T\":3}", &failure, &c, &f->error) &&
                store_reuse(store, run, &a, 1, &f->error);
    if (done) {
        const struct store_final finals[] = {{b, false, 990, 989, 991, -1, -1, 1, 1, 1, rounds, 2, NULL, 0},
                                             {a, true, 992, 991, 993, -1, -1, 1.002, 1, 1.01, rounds, 2, NULL, 0}};
        done = store_finals_put(store, run, finals, 2, &f->error) && store_run_end(store, run, "done", &f->error) &&
               store_dispatch_put(store, &f->problem, "time", tree, &f->error);
    }
    store_close(store);
    return done;
}

/* Any answer given must be right. */
static bool ask(struct fixture *f)
{
    struct store *store = NULL;
    const struct store_filter filter = {.template_name = "gemm"};
    size_t best = 0, finished = 0, relatives = 0, recorded = 0, runs = 0;
    json_t *devices = NULL, *document = NULL;
    bool done = store_open(f->path, true, &store, &f->error) &&
                store_best(store, &filter, count_row, &best, &f->error) &&
                store_finished(store, &f->problem, "time", NULL, count_row, &finished, &f->error) &&
                store_relatives(store, "gemm", "cuda", NULL, count_row, &relatives, &f->error) &&
                store_recorded(store, count_recorded, &recorded, &f->error) &&
                store_runs(store, count_run, &runs, &f->error) && store_devices_json(store, &devices, &f->error) &&
                store_device_json(store, 1, &document, &f->error);
    if (done) {
        assert_int_equal(best, 1);
        assert_int_equal(finished, 3);
        assert_int_equal(relatives, 1);
        assert_int_equal(recorded, 3);
        assert_int_equal(runs, 1);
        assert_int_equal(json_array_size(devices), 1);
        assert_int_equal(json_array_size(json_object_get(document, "dispatches")), 1);
        json_t *problem = json_array_get(json_object_get(document, "problems"), 0);
        assert_int_equal(json_array_size(json_object_get(problem, "evaluations")), 3);
    }
    json_decref(devices);
    json_decref(document);
    store_close(store);
    return done;
}

static const char edited[] = "{\"rate\":{\"text\":\"time\",\"sense\":\"minimize\"}}";

/* A template whose metrics were edited. */
static bool judge_again(struct fixture *f)
{
    struct store *store = NULL;
    struct device_description description;
    size_t stale = 0, best = 0;
    bool current;
    const struct store_filter filter = {.template_name = "gemm", .objective = "rate"};
    const struct store_metrics metrics[] = {{1, "{\"rate\":1000}"}, {2, "{\"rate\":900}"}};
    bool done = store_open(f->path, false, &store, &f->error) &&
                store_metrics_stale(store, "gemm", "aaaa", edited, count_row, &stale, &f->error) &&
                store_metrics_put(store, "gemm", "aaaa", edited, "rate", metrics, 2, &f->error) &&
                store_metrics_current(store, "gemm", "aaaa", edited, "rate", &current, &f->error) &&
                store_best(store, &filter, count_row, &best, &f->error) &&
                store_device_description(store, 1, &description, &f->error);
    if (done) {
        assert_int_equal(stale, 2);
        assert_int_equal(best, 1);
        assert_true(current && device_description_alike(&description, &f->device));
    }
    store_close(store);
    return done;
}

static bool write_knowledge(struct fixture *f)
{
    char folder[128], path[160];
    snprintf(folder, sizeof folder, "%s/known", f->folder);
    snprintf(path, sizeof path, "%s/gemm.json", folder);
    mkdir(folder, 0700);
    struct store *store = NULL;
    const struct store_filter filter = {.template_name = "gemm"};
    bool done = store_open(f->path, true, &store, &f->error) && store_known_write(store, &filter, path, &f->error);
    store_close(store);
    return done;
}

static bool load_knowledge(struct fixture *f)
{
    char folder[128];
    snprintf(folder, sizeof folder, "%s/known", f->folder);
    struct store *store = NULL;
    bool done = store_open(f->path, false, &store, &f->error) && store_known_load(store, folder, &f->error);
    store_close(store);
    return done;
}

/* What is lost is the target, which appears when it is complete. */
static bool merge(struct fixture *f)
{
    char target[160];
    struct store_merge_count counts[2];
    snprintf(target, sizeof target, "%s/merged.db", f->folder);
    unlink(target);
    const char *const sources[] = {f->path, f->path};
    bool done = store_merge(sources, 2, target, NULL, counts, &f->error);
    assert_int_equal(access(target, F_OK) == 0, done);
    assert_true(!done || (counts[0].evaluations.added == 3 && counts[1].evaluations.added == 0));
    return done;
}

static void measuring(void **state)
{
    fail_each(*state, NULL, measure);
}

static void asking(void **state)
{
    fail_each(*state, measure, ask);
}

static void judging_again(void **state)
{
    fail_each(*state, measure, judge_again);
}

static void merging(void **state)
{
    fail_each(*state, measure, merge);
}

static void writing_knowledge(void **state)
{
    fail_each(*state, measure, write_knowledge);
}

static void loading_knowledge(void **state)
{
    struct fixture *f = *state;
    assert_true(measure(f) && write_knowledge(f));
    fail_each(f, NULL, load_knowledge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(measuring),         unit(asking), unit(judging_again), unit(merging), unit(writing_knowledge),
        unit(loading_knowledge),
    };
    return cmocka_run_group_tests(tests, redirect_library_allocations, NULL);
}
