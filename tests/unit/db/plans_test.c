/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each query has an index. Every function of store.h and forget.h is called; each statement that it prepares is
 * explained (EXPLAIN QUERY PLAN), and none may read all rows of a table, or make an index for itself, but those that
 * are meant to. A new query in an old function is found without being listed here; a new function fails the test
 * until it is called.
 */
#include "fixture.h"
#include "plans.h"

#include "db/forget.h"

#include <jansson.h>
#include <sys/stat.h>

/* ---- every function */

struct scene {
    struct fixture *f;
    struct store *store;
    int64_t run, other_run, evaluation;
    char folder[128], file[160];
};

static bool see(const struct store_row *row, void *context)
{
    (void)row, (void)context;
    return true;
}

static bool see_run(const struct store_run_row *row, void *context)
{
    (void)row, (void)context;
    return true;
}

static bool see_recorded(const struct store_recorded_row *row, void *context)
{
    (void)row, (void)context;
    return true;
}

static const char definitions[] = "{\"rate\":{\"text\":\"1 / time\",\"sense\":\"maximize\"}}";
static const char other_definitions[] = "{\"rate\":{\"text\":\"2 / time\",\"sense\":\"maximize\"}}";
static const char *const objectives[] = {NULL, "time", "energy", "edp", "rate"};
enum { OBJECTIVES = sizeof objectives / sizeof *objectives };

static bool call_open(struct scene *s, struct error *error)
{
    struct store *another = NULL;
    for (int read_only = 0; read_only < 2; read_only++) {
        if (!store_open(s->f->path, read_only != 0, &another, error))
            return false;
        store_close(another);
    }
    return true;
}

static bool call_open_untouched(struct scene *s, struct error *error)
{
    struct store *another = NULL;
    bool done = store_open_untouched(s->f->path, &another, error);
    store_close(another);
    return done;
}

static bool call_open_private(struct scene *s, struct error *error)
{
    (void)s;
    struct store *another = NULL;
    bool done = store_open_private("private", &another, error);
    store_close(another);
    return done;
}

static bool call_merge(struct scene *s, struct error *error)
{
    char target[160];
    const char *const sources[] = {s->f->path};
    struct store_merge_count count;
    snprintf(target, sizeof target, "%s/merged.db", s->f->folder);
    return store_merge(sources, 1, target, NULL, &count, error);
}

static bool call_run_begin(struct scene *s, struct error *error)
{
    s->f->problem.template_metrics = definitions;
    return store_run_begin(s->store, &s->f->problem, &s->f->run, &s->run, error) &&
           store_run_begin(s->store, &s->f->problem, &s->f->run, &s->other_run, error);
}

static bool call_run_alive(struct scene *s, struct error *error)
{
    return store_run_alive(s->store, s->run, error);
}

static bool call_run_end(struct scene *s, struct error *error)
{
    return store_run_end(s->store, s->run, "done", error);
}

static bool call_put(struct scene *s, struct error *error)
{
    static char value[] = "{\"rate\":5e9}";
    struct evaluation evaluation = fixture_success(200);
    evaluation.metrics = value;
    evaluation.energy_j = 0.5;
    return store_put(s->store, s->run, "{\"VARIANT\":\"a\"}", &evaluation, &s->evaluation, error);
}

static bool call_reuse(struct scene *s, struct error *error)
{
    return store_reuse(s->store, s->other_run, &s->evaluation, 1, error);
}

static bool call_finals_put(struct scene *s, struct error *error)
{
    static const double rounds[] = {200};
    const struct store_final final = {
        .evaluation_id = s->evaluation, .time_ns = 200, .ratio = 1, .rounds_ns = rounds, .round_count = 1};
    return store_finals_put(s->store, s->run, &final, 1, error);
}

static bool call_front_put(struct scene *s, struct error *error)
{
    static const double rounds[] = {200};
    const struct store_final final = {
        .evaluation_id = s->evaluation, .time_ns = 200, .ratio = 1, .rounds_ns = rounds, .round_count = 1};
    return store_front_put(s->store, s->run, &final, 1, NULL, 0, error);
}

static bool call_finished(struct scene *s, struct error *error)
{
    return store_finished(s->store, &s->f->problem, "time", NULL, see, NULL, error);
}

static bool call_import_row(size_t index, struct store_import_row *row, void *context, struct error *error)
{
    (void)index, (void)context, (void)error;
    *row = (struct store_import_row){.configuration = "{\"P\":1}", .evaluation = fixture_success(300)};
    return true;
}

static bool call_import(struct scene *s, struct error *error)
{
    const struct store_import import = {
        .kernel = "theirs", .path = "theirs.json", .device_name = "A100", .size = "n=1", .definitions = ""};
    return store_import(s->store, &import, 1, call_import_row, NULL, error);
}

static bool call_recorded(struct scene *s, struct error *error)
{
    return store_recorded(s->store, see_recorded, NULL, error);
}

static bool call_has_shipped(struct scene *s, struct error *error)
{
    bool shipped;
    return store_has_shipped(s->store, &shipped, error);
}

static bool call_metrics_stale(struct scene *s, struct error *error)
{
    return store_metrics_stale(s->store, "gemm", "aaaa", definitions, see, NULL, error);
}

static bool call_metrics_put(struct scene *s, struct error *error)
{
    static char value[] = "{\"rate\":1e10}";
    const struct store_metrics metrics = {s->evaluation, value};
    return store_metrics_put(s->store, "gemm", "aaaa", other_definitions, NULL, &metrics, 1, error);
}

static bool call_metrics_current(struct scene *s, struct error *error)
{
    bool current;
    return store_metrics_current(s->store, "gemm", "aaaa", definitions, NULL, &current, error);
}

static bool call_device_description(struct scene *s, struct error *error)
{
    struct device_description description;
    return store_device_description(s->store, 1, &description, error);
}

static bool call_lookup(struct scene *s, struct error *error)
{
    return store_lookup(s->store, s->run, "{\"VARIANT\":\"a\"}", see, NULL, error);
}

static bool call_best(struct scene *s, struct error *error)
{
    static const char *const names[] = {"VARIANT"};
    bool done = true;
    for (int which = 0; done && which < 4 * OBJECTIVES; which++) {
        const struct store_filter filter = {.objective = objectives[which / 4],
                                            .template_name = which & 1 ? "gemm" : NULL,
                                            .size = which & 1 ? s->f->problem.size : NULL,
                                            .rungs = names,
                                            .rung_count = which & 2 ? 1 : 0};
        done = store_best(s->store, &filter, see, NULL, error);
    }
    return done;
}

static bool call_measured(struct scene *s, struct error *error)
{
    const struct store_filter all = {.objective = "time,energy"};
    const struct store_filter one = {.objective = "time,energy", .template_name = "gemm", .limits = "registers < 9"};
    return store_measured(s->store, &all, see, NULL, error) && store_measured(s->store, &one, see, NULL, error);
}

static bool call_ceilings(struct scene *s, struct error *error)
{
    struct ceilings ceilings;
    return store_ceilings(s->store, 1, &ceilings, error);
}

static bool call_device_ceilings(struct scene *s, struct error *error)
{
    struct ceilings ceilings;
    return store_device_ceilings(s->store, &s->f->device, &ceilings, error);
}

static bool call_ceilings_json(struct scene *s, struct error *error)
{
    json_t *ceilings = NULL;
    bool done = store_ceilings_json(s->store, &s->f->device, &ceilings, error);
    json_decref(ceilings);
    return done;
}

static bool call_relatives(struct scene *s, struct error *error)
{
    bool done = true;
    for (int i = 0; done && i < OBJECTIVES; i++)
        done = store_relatives(s->store, "gemm", "cuda", objectives[i], see, NULL, error);
    return done;
}

static bool call_twins(struct scene *s, struct error *error)
{
    static const struct store_twins twins = {"M=64", "sm_90", 8};
    bool done = true;
    for (int i = 0; done && i < OBJECTIVES; i++)
        done = store_twins(s->store, "gemm", "cuda", objectives[i], &twins, see, NULL, error);
    return done;
}

static bool call_runs(struct scene *s, struct error *error)
{
    return store_runs(s->store, see_run, NULL, error);
}

static bool call_devices_json(struct scene *s, struct error *error)
{
    json_t *devices = NULL;
    bool done = store_devices_json(s->store, &devices, error);
    json_decref(devices);
    return done;
}

static bool call_device_json(struct scene *s, struct error *error)
{
    json_t *document = NULL;
    bool done = store_device_json(s->store, 1, &document, error);
    json_decref(document);
    return done;
}

static bool call_dispatch_put(struct scene *s, struct error *error)
{
    return store_dispatch_put(s->store, &s->f->problem, "time", "{}", error);
}

static bool call_dispatch_put_without_data(struct scene *s, struct error *error)
{
    return store_dispatch_put_without_data(s->store, &s->f->problem, "time", "{}", error);
}

static bool see_dispatch(const struct store_dispatch_row *row, void *context)
{
    (void)row, (void)context;
    return true;
}

static bool call_was_valid(struct scene *s, struct error *error)
{
    bool valid;
    return store_was_valid(s->store, "gemm", "aaaa", "{\"A\":1}", &valid, error);
}

static bool call_online_put(struct scene *s, struct error *error)
{
    const struct store_online online = {"{}", "{}", 1, 0, 1, 0, "[]"};
    return store_online_put(s->store, &s->f->problem, &online, error);
}

static bool see_online(const struct store_online_row *row, void *context)
{
    (void)row, (void)context;
    return true;
}

static bool see_contender(const struct store_contender *contender, void *context)
{
    (void)contender, (void)context;
    return true;
}

static const struct store_filter of_kernel = {
    .template_name = "gemm", .template_hash = "aaaa", .device_kind = "cuda", .device_name = "Imaginary 100"};

static bool call_onlines(struct scene *s, struct error *error)
{
    return store_onlines(s->store, &of_kernel, see_online, NULL, error);
}

static bool call_contenders(struct scene *s, struct error *error)
{
    return store_contenders(s->store, &of_kernel, 4, see_contender, NULL, error);
}

static bool call_dispatches(struct scene *s, struct error *error)
{
    return store_dispatches(s->store, &(struct store_filter){.template_name = "gemm"}, see_dispatch, NULL, error);
}

static bool call_known_write(struct scene *s, struct error *error)
{
    const struct store_filter filter = {.template_name = "gemm"};
    snprintf(s->folder, sizeof s->folder, "%s/known", s->f->folder);
    snprintf(s->file, sizeof s->file, "%s/gemm-known.json", s->folder);
    assert_int_equal(mkdir(s->folder, 0700), 0);
    return store_known_write(s->store, &filter, s->file, error);
}

static bool call_known_import(struct scene *s, struct error *error)
{
    static char text[1 << 16];
    struct store_known_counts counts;
    size_t length = fixture_read(s->file, text, sizeof text);
    return store_known_import(s->store, s->file, text, length, NULL, NULL, &counts, error);
}

static bool call_known_load(struct scene *s, struct error *error)
{
    return store_known_load(s->store, s->folder, error);
}

static bool call_known_load_of(struct scene *s, struct error *error)
{
    return store_known_load_of(s->store, s->folder, "gemm", error);
}

#define ASKS(what)                                                                                                   \
    {                                                                                                                \
        .name = "store_" #what, .function = call_##what                                                              \
    }

static bool see_forgotten(const struct forget_row *row, void *context)
{
    (void)row, (void)context;
    return true;
}

static bool call_forget(struct scene *s, struct error *error)
{
    struct forget_rest rest;
    bool done = true;
    for (int which = 0; done && which < 4; which++) {
        const struct forget_criteria criteria = {
            .template_name = which & 1 ? "gemm" : NULL, .older_than = 5, .best_too = which & 2};
        done = store_forget(s->store, &criteria, false, see_forgotten, NULL, &rest, error);
    }
    return done;
}

static bool call_vacuum(struct scene *s, struct error *error)
{
    return store_vacuum(s->store, error);
}

static bool see_table(const struct store_table *table, void *context)
{
    (void)table, (void)context;
    return true;
}

static bool call_tables(struct scene *s, struct error *error)
{
    return store_tables(s->store, see_table, NULL, error);
}

/* In an order in which each finds what it needs. */
static const struct call {
    const char *name;
    bool (*function)(struct scene *scene, struct error *error); /* NULL: it makes no queries */
    const char *reads_all;                                      /* why scans are meant; NULL: they are not */
} calls[] = {
    {.name = "store_default_path"},
    ASKS(open),
    ASKS(open_untouched),
    ASKS(open_private),
    {.name = "store_own_sqlite"},
    {.name = "store_close"},
    {.name = "store_path"},
    {.name = "store_show_as"},
    {.name = "store_is_lost"},
    {.name = "store_is_private"},
    {.name = "store_is_unchanged"},
    ASKS(run_begin),
    ASKS(run_alive),
    ASKS(put),
    {.name = "store_rows_begin"}, /* a transaction alone */
    {.name = "store_rows_end"},
    {.name = "store_flush"},
    ASKS(reuse),
    ASKS(finals_put),
    ASKS(front_put),
    {.name = "store_row_evaluation"},
    ASKS(finished),
    ASKS(import),
    ASKS(recorded),
    ASKS(has_shipped),
    ASKS(metrics_stale),
    ASKS(metrics_put),
    ASKS(metrics_current),
    ASKS(device_description),
    ASKS(lookup),
    ASKS(best),
    ASKS(measured),
    ASKS(ceilings),
    ASKS(device_ceilings),
    ASKS(ceilings_json),
    ASKS(relatives),
    ASKS(twins),
    ASKS(runs),
    ASKS(devices_json),
    ASKS(device_json),
    ASKS(dispatch_put),
    ASKS(dispatch_put_without_data),
    ASKS(dispatches),
    ASKS(online_put),
    ASKS(onlines),
    ASKS(contenders),
    ASKS(was_valid),
    ASKS(known_write),
    ASKS(known_load),
    ASKS(known_load_of),
    ASKS(known_import),
    {.name = "store_known_is"},
    {.name = "store_bytes"}, /* pragmas alone */
    {.name = "store_tables", .function = call_tables, .reads_all = "it counts all rows"},
    {.name = "store_merge", .function = call_merge, .reads_all = "it copies all tables"},
    ASKS(run_end),
    ASKS(forget),
    {.name = "store_vacuum", .function = call_vacuum, .reads_all = "it copies the file"},
};
enum { CALLS = sizeof calls / sizeof *calls };

/* So that the next function prepares all that it needs. */
static void drop_kept(struct store *store)
{
    while (store->kept_count > 0)
        sqlite3_finalize(store->kept[--store->kept_count]);
}

static void each_query_has_an_index(void **state)
{
    struct scene scene = {.f = *state};
    scene.store = fixture_open(scene.f);
    for (size_t i = 0; i < CALLS; i++) {
        if (!calls[i].function)
            continue;
        drop_kept(scene.store);
        findings = (struct findings){.watching = true, .reads_all = calls[i].reads_all != NULL};
        bool done = calls[i].function(&scene, &scene.f->error);
        findings.watching = false;
        if (!done)
            fail_msg("%s: %s", calls[i].name, scene.f->error.text);
        if (findings.text[0])
            fail_msg("%s needs an index (db/schema-N.sql), or a line in `meant`:\n%s", calls[i].name, findings.text);
        if (findings.statements == 0)
            fail_msg("%s made no query: the test does not see it", calls[i].name);
    }
    store_close(scene.store);
    for (size_t i = 0; i < MEANT; i++) {
        if (!meant[i].found)
            fail_msg("%s (%s) is not scanned any more where \"%s\" stands: remove the line", meant[i].table,
                     meant[i].why, meant[i].part);
    }
}

static bool is_called(const char *name, size_t length)
{
    for (size_t i = 0; i < CALLS; i++) {
        if (strlen(calls[i].name) == length && strncmp(calls[i].name, name, length) == 0)
            return true;
    }
    return false;
}

/* Declarations begin lines with "bool store_...(", "void ..." and so on. */
static size_t count_functions(const char *header)
{
    static char text[1 << 16];
    size_t length = fixture_read(header, text, sizeof text - 1), count = 0;
    text[length] = '\0';
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *name = strstr(line, "store_"), *end = name ? name + strspn(name, "abcdefghijklmnopqrstuvwxyz_0") : NULL;
        if (!name || *end != '(' || name == line || strncmp(line, "typedef", 7) == 0 ||
            strncmp(line, "static", 6) == 0 || !isalpha((unsigned char)line[0]))
            continue;
        count++;
        if (!is_called(name, (size_t)(end - name)))
            fail_msg("%.*s: add it to `calls`, so that its queries are seen", (int)(end - name), name);
    }
    return count;
}

static void each_function_is_called(void **state)
{
    (void)state;
    assert_int_equal(count_functions(TUNE_SOURCE_FOLDER "/db/store.h") +
                         count_functions(TUNE_SOURCE_FOLDER "/db/forget.h"),
                     CALLS);
}

/* The test itself must be able to fail. */
static void a_query_without_an_index_is_found(void **state)
{
    static const char *const bad[] = {
        "SELECT count(*) FROM evaluation WHERE message = 'x'",
        "SELECT row.id FROM evaluation AS row WHERE row.registers > 5",
        "DELETE FROM run_evaluation WHERE sequence = 5",
        "SELECT 1 FROM problem JOIN evaluation ON evaluation.seed = problem.size WHERE problem.id = 1",
    };
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    struct query query;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        findings = (struct findings){.watching = true};
        assert_true(query_open(&query, store, bad[i], &f->error));
        findings.watching = false;
        query_close(&query);
        if (!findings.text[0])
            fail_msg("not found: %s", bad[i]);
    }
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(each_query_has_an_index),
        cmocka_unit_test(each_function_is_called),
        unit(a_query_without_an_index_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
