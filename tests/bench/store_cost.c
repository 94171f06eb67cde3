/* SPDX-License-Identifier: Apache-2.0 */
/*
 * store_cost - what the store's answers take, by wall clock: store_cost FILE [REPEATS]
 *
 * FILE is a database, such as large_database makes it; it is only read. Each question is asked REPEATS (5) times,
 * with a store that is opened anew, and then once more of the same store; the least and the largest time are printed,
 * in milliseconds, and the least of asking again. The questions are about the problem with the most evaluations.
 */
#include "db/connection.h"
#include "db/store.h"
#include "tests/unit/db/counting.h"
#include "tuner/device/monotonic.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct subject {
    char template_name[256], hash[128], size[256], device_name[128], device_kind[16];
    int64_t device;
};

/* ---- the questions; each counts its rows */

typedef bool question_function(struct store *store, const struct subject *subject, size_t *rows, struct error *error);

static bool ask_nothing(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    (void)store, (void)subject, (void)rows, (void)error;
    return true;
}

static bool ask_exact(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    const struct store_filter filter = {.template_name = subject->template_name,
                                        .template_hash = subject->hash,
                                        .device_name = subject->device_name,
                                        .device_kind = subject->device_kind,
                                        .size = subject->size,
                                        .inputs = "",
                                        .objective = "time"};
    return store_best(store, &filter, count_row, rows, error);
}

static bool ask_template(struct store *store, const struct subject *subject, const char *objective, size_t *rows,
                         struct error *error)
{
    const struct store_filter filter = {
        .template_name = subject->template_name, .template_hash = subject->hash, .objective = objective};
    return store_best(store, &filter, count_row, rows, error);
}

static bool ask_time(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    return ask_template(store, subject, "time", rows, error);
}

static bool ask_energy(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    return ask_template(store, subject, "energy", rows, error);
}

static bool ask_edp(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    return ask_template(store, subject, "edp", rows, error);
}

static bool ask_all(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    (void)subject;
    const struct store_filter filter = {.template_name = NULL};
    return store_best(store, &filter, count_row, rows, error);
}

static bool ask_relatives(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    return store_relatives(store, subject->template_name, subject->device_kind, "time", count_row, rows, error);
}

static bool ask_finished(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    struct device_description device;
    struct store_problem problem = {.template_name = subject->template_name,
                                    .template_hash = subject->hash,
                                    .size = subject->size,
                                    .device = &device};
    if (!store_device_description(store, subject->device, &device, error))
        return false;
    struct query query;
    if (!query_open(&query, store,
                    "SELECT driver, compiler FROM problem JOIN toolchain ON toolchain.id = problem.toolchain "
                    "WHERE problem.device = ? LIMIT 1",
                    error))
        return false;
    query_bind_integer(&query, subject->device);
    if (query_step(&query, error) == QUERY_ROW) {
        snprintf(device.driver, sizeof device.driver, "%s", query_text(&query, 0));
        snprintf(device.compiler, sizeof device.compiler, "%s", query_text(&query, 1));
    }
    query_close(&query);
    return store_finished(store, &problem, "time", NULL, count_row, rows, error);
}

static bool ask_stale(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    struct query query;
    char definitions[4096] = "";
    if (!query_open(&query, store, "SELECT metrics FROM template WHERE name = ? AND hash = ?", error))
        return false;
    query_bind_text(&query, subject->template_name);
    query_bind_text(&query, subject->hash);
    if (query_step(&query, error) == QUERY_ROW)
        snprintf(definitions, sizeof definitions, "%s", query_text(&query, 0));
    query_close(&query);
    return store_metrics_stale(store, subject->template_name, subject->hash, definitions, count_row, rows, error);
}

static bool ask_runs(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    (void)subject;
    return store_runs(store, count_run, rows, error);
}

static bool ask_devices(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    (void)subject;
    json_t *devices = NULL;
    bool done = store_devices_json(store, &devices, error);
    *rows += json_array_size(devices);
    json_decref(devices);
    return done;
}

static bool ask_device(struct store *store, const struct subject *subject, size_t *rows, struct error *error)
{
    json_t *document = NULL;
    bool done = store_device_json(store, subject->device, &document, error);
    json_t *problems = json_object_get(document, "problems");
    for (size_t i = 0; i < json_array_size(problems); i++)
        *rows += json_array_size(json_object_get(json_array_get(problems, i), "evaluations"));
    json_decref(document);
    return done;
}

static const struct question {
    const char *name;
    question_function *ask;
} questions[] = {
    {"open", ask_nothing},
    {"best of the problem", ask_exact},
    {"best of the template", ask_time},
    {"by energy", ask_energy},
    {"by edp", ask_edp},
    {"best of everything", ask_all},
    {"relatives", ask_relatives},
    {"stale metrics", ask_stale},
    {"finished rows", ask_finished},
    {"runs", ask_runs},
    {"report: all devices", ask_devices},
    {"report: the device", ask_device},
};

/* ---- measuring */

struct cost {
    double first, again; /* seconds */
    size_t rows;
};

static bool take(const char *path, const struct question *question, const struct subject *subject, struct cost *cost,
                 struct error *error)
{
    struct store *store;
    size_t rows = 0;
    double start = monotonic_seconds();
    cost->rows = 0;
    if (!store_open(path, true, &store, error))
        return false;
    if (question->ask != ask_nothing)
        start = monotonic_seconds();
    bool done = question->ask(store, subject, &cost->rows, error);
    cost->first = monotonic_seconds() - start;
    start = monotonic_seconds();
    done = done && question->ask(store, subject, &rows, error);
    cost->again = monotonic_seconds() - start;
    store_close(store);
    return done;
}

static bool measure(const char *path, const struct subject *subject, int repeats, struct error *error)
{
    bool done = true;
    for (size_t i = 0; done && i < sizeof questions / sizeof *questions; i++) {
        struct cost least = {INFINITY, INFINITY, 0}, cost = {0};
        double most = 0;
        for (int repeat = 0; done && repeat < repeats; repeat++) {
            done = take(path, &questions[i], subject, &cost, error);
            least.first = fmin(cost.first, least.first);
            least.again = fmin(cost.again, least.again);
            most = fmax(cost.first, most);
        }
        if (done)
            printf("%-22s %9.3f to %9.3f ms, again %9.3f ms  %zu rows\n", questions[i].name, 1e3 * least.first,
                   1e3 * most, 1e3 * least.again, cost.rows);
    }
    return done;
}

static bool find_subject(const char *path, struct subject *subject, struct error *error)
{
    struct store *store;
    struct query query;
    if (!store_open(path, true, &store, error))
        return false;
    bool done = query_open(&query, store,
                           "SELECT template.name, template.hash, problem.size, device.name, device.kind, device.id "
                           "FROM evaluation JOIN problem ON problem.id = evaluation.problem "
                           "JOIN template ON template.id = problem.template JOIN device ON device.id = "
                           "problem.device GROUP BY problem.id ORDER BY count(*) DESC LIMIT 1",
                           error) &&
                query_step(&query, error) == QUERY_ROW;
    if (done) {
        char *const texts[] = {subject->template_name, subject->hash, subject->size, subject->device_name,
                               subject->device_kind};
        const size_t sizes[] = {sizeof subject->template_name, sizeof subject->hash, sizeof subject->size,
                                sizeof subject->device_name, sizeof subject->device_kind};
        for (int i = 0; i < 5; i++)
            snprintf(texts[i], sizes[i], "%s", query_text(&query, i));
        subject->device = query_known(&query, 5);
        printf("%s, %s, %s\n", subject->template_name, subject->size, subject->device_name);
    }
    query_close(&query);
    store_close(store);
    return done;
}

int main(int count, char **arguments)
{
    struct error error = {0};
    struct subject subject = {0};
    int repeats = count > 2 ? atoi(arguments[2]) : 5;
    if (count < 2 || repeats < 1) {
        fprintf(stderr, "usage: store_cost FILE [REPEATS]\n");
        return 2;
    }
    bool done = find_subject(arguments[1], &subject, &error) && measure(arguments[1], &subject, repeats, &error);
    if (!done)
        error_print(&error, stderr);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
