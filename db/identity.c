/* SPDX-License-Identifier: Apache-2.0 */
#include "db/identity.h"
#include "db/objects.h"

#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdlib.h>

const char *origin_name(enum origin origin)
{
    static const char *const names[] = {
        [ORIGIN_MEASURED] = "measured", [ORIGIN_SHIPPED] = "shipped", [ORIGIN_IMPORTED] = "imported"};
    return names[origin];
}

/* The reported size differs by some megabytes between drivers and, on hosts, by what the kernel reserves. */
static int64_t whole_gib(int64_t bytes)
{
    return (bytes + (INT64_C(1) << 29)) >> 30;
}

void bind_device(struct query *query, const struct device_description *device)
{
    query_bind_text(query, device->kind);
    query_bind_text(query, device->name);
    query_bind_text(query, device->architecture);
    query_bind_integer(query, device->sm_count);
    query_bind_integer(query, whole_gib(device->memory_bytes));
}

/* The description without the toolchain. */
static char *description_text(const struct device_description *device)
{
    json_t *json = device_description_json(device);
    if (!json)
        return NULL;
    json_object_del(json, "driver");
    json_object_del(json, "compiler");
    char *text = json_text(json, JSON_COMPACT);
    json_decref(json);
    return text;
}

/* The pieces of statements for each figure of work. */
#define FIGURE_COLUMN(with, NAME, name, column, unit, pipe, peak) ", " #column
#define FIGURE_PLACE(with, NAME, name, column, unit, pipe, peak)  ", ?"
#define FIGURE_UPDATE(with, NAME, name, column, unit, pipe, peak)                                                    \
    ", " #column " = coalesce(excluded." #column ", " #column ")"
#define PEAK_COLUMN(with, NAME, name, column, unit, pipe, peak) ", " #peak
#define PEAK_UPDATE(with, NAME, name, column, unit, pipe, peak) ", " #peak " = excluded." #peak

#define INSERT_DEVICE                                                                                                \
    "INSERT INTO device (kind, name, architecture, sm_count, memory_gib, uuid, description" WORK_FIGURES(            \
        PEAK_COLUMN, ) ") VALUES (?, ?, ?, ?, ?, nullif(?, ''), ?" WORK_FIGURES(FIGURE_PLACE, ) ") "                 \
                                                                                                "ON CONFLICT "       \
                                                                                                "(kind, name, "      \
                                                                                                "architecture, "     \
                                                                                                "sm_count, "         \
                                                                                                "memory_gib) DO "

static bool device_ensure(struct store *store, const struct device_description *device, enum origin origin,
                          int64_t *id, struct error *error)
{
    static const char *const inserts[] = {
        [ORIGIN_MEASURED] = INSERT_DEVICE
        "UPDATE SET uuid = excluded.uuid, description = excluded.description" WORK_FIGURES(PEAK_UPDATE, ),
        [ORIGIN_SHIPPED] = INSERT_DEVICE "NOTHING",
        [ORIGIN_IMPORTED] = INSERT_DEVICE "NOTHING",
    };
    char *description = description_text(device);
    if (!description)
        return error_set(error, ERROR_OUT_OF_MEMORY, "cannot describe device %s as JSON: out of memory, or not UTF-8",
                         device->name);
    struct query query;
    bool done = query_open_kept(&query, store, inserts[origin], error);
    if (done) {
        bind_device(&query, device);
        query_bind_text(&query, device->uuid);
        query_bind_text(&query, description);
        for (size_t i = 0; i < WORK_COUNT; i++)
            query_bind_positive(&query, work_peak(device, (enum work_figure)i));
        done = query_run(&query, error);
    }
    free(description);
    if (!done || !query_open_kept(&query, store,
                                  "SELECT id FROM device WHERE kind = ? AND name = ? AND architecture = ? "
                                  "AND sm_count = ? AND memory_gib = ?",
                                  error))
        return false;
    bind_device(&query, device);
    return query_integer(&query, "such device", id, error);
}

/* Insert a row of texts, and read its id by the first two. */
static bool ensure(struct store *store, const char *insert, const char *select, const char *const *texts,
                   size_t count, int64_t *id, struct error *error)
{
    struct query query;
    if (!query_open_kept(&query, store, insert, error))
        return false;
    for (size_t i = 0; i < count; i++)
        query_bind_text(&query, texts[i]);
    if (!query_run(&query, error) || !query_open_kept(&query, store, select, error))
        return false;
    query_bind_text(&query, texts[0]);
    query_bind_text(&query, texts[1]);
    return query_integer(&query, "such row", id, error);
}

static bool toolchain_ensure(struct store *store, const struct store_problem *problem, int64_t *id,
                             struct error *error)
{
    const char *const texts[] = {problem->device->driver, store_compiler(problem), NULL};
    return ensure(store, "INSERT INTO toolchain (driver, compiler) VALUES (?, ?) ON CONFLICT DO NOTHING",
                  "SELECT id FROM toolchain WHERE driver = ? AND compiler = ?", texts, 2, id, error);
}

#define INSERT_TEMPLATE                                                                                              \
    "INSERT INTO template (name, hash, path, descriptions, metrics, objective, used_at) "                            \
    "VALUES (?, ?, ?, ?, nullif(?, ''), ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) ON CONFLICT (name, hash) DO "

static bool template_ensure(struct store *store, const struct store_problem *problem, enum origin origin, int64_t *id,
                            struct error *error)
{
    static const char *const inserts[] = {
        [ORIGIN_MEASURED] = INSERT_TEMPLATE "UPDATE SET path = excluded.path, used_at = excluded.used_at, "
                                            "descriptions = excluded.descriptions, metrics = excluded.metrics, "
                                            "objective = excluded.objective",
        [ORIGIN_SHIPPED] = INSERT_TEMPLATE "UPDATE SET descriptions = coalesce(descriptions, excluded.descriptions)",
        [ORIGIN_IMPORTED] = INSERT_TEMPLATE "UPDATE SET path = excluded.path, used_at = excluded.used_at, "
                                            "metrics = coalesce(excluded.metrics, metrics), "
                                            "objective = coalesce(excluded.objective, objective)",
    };
    const char *const texts[] = {problem->template_name,    problem->template_hash,
                                 problem->template_path,    problem->template_descriptions,
                                 problem->template_metrics, problem->template_objective};
    return ensure(store, inserts[origin], "SELECT id FROM template WHERE name = ? AND hash = ?", texts, 6, id, error);
}

bool space_ensure(struct store *store, const struct store_problem *problem, int64_t *id, struct error *error)
{
    const char *const texts[] = {
        problem->space_name ? problem->space_name : "",
        problem->space_hash ? problem->space_hash : "",
        problem->space_text ? problem->space_text : "",
    };
    return ensure(store, "INSERT INTO space (name, hash, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                  "SELECT id FROM space WHERE name = ? AND hash = ?", texts, 3, id, error);
}

bool subject_ensure(struct store *store, const struct store_problem *problem, enum origin origin,
                    struct subject_rows *rows, struct error *error)
{
    return template_ensure(store, problem, origin, &rows->template, error) &&
           device_ensure(store, problem->device, origin, &rows->device, error) &&
           toolchain_ensure(store, problem, &rows->toolchain, error);
}

static void bind_problem(struct query *query, const struct subject_rows *rows, const struct store_problem *problem)
{
    query_bind_integer(query, rows->template);
    query_bind_integer(query, rows->device);
    query_bind_integer(query, rows->toolchain);
    query_bind_text(query, problem->size);
    query_bind_text(query, problem->inputs ? problem->inputs : "");
}

bool problem_ensure_of(struct store *store, const struct subject_rows *rows, const struct store_problem *problem,
                       int64_t *id, struct error *error)
{
    struct query query;
    if (!query_open_kept(
            &query, store,
            "INSERT INTO problem (template, device, toolchain, size, inputs, input_files" WORK_FIGURES(
                FIGURE_COLUMN, ) ") "
                                 "VALUES (?, ?, ?, ?, ?, nullif(?, '')" WORK_FIGURES(
                                     FIGURE_PLACE, ) ") "
                                                     "ON CONFLICT (template, device, toolchain, size, inputs) "
                                                     "DO UPDATE SET size = excluded.size, "
                                                     "input_files = excluded.input_files" //
            WORK_FIGURES(FIGURE_UPDATE, ),
            error))
        return false;
    bind_problem(&query, rows, problem);
    query_bind_text(&query, problem->input_files ? problem->input_files : "");
    for (size_t i = 0; i < WORK_COUNT; i++)
        query_bind_positive(&query, problem->work.of[i]);
    if (!query_run(&query, error) || !query_open_kept(&query, store,
                                                      "SELECT id FROM problem WHERE template = ? AND device = ? AND "
                                                      "toolchain = ? AND size = ? AND inputs = ?",
                                                      error))
        return false;
    bind_problem(&query, rows, problem);
    return query_integer(&query, "such problem", id, error);
}

bool problem_ensure(struct store *store, const struct store_problem *problem, enum origin origin, int64_t *id,
                    struct error *error)
{
    struct subject_rows rows;
    return subject_ensure(store, problem, origin, &rows, error) &&
           problem_ensure_of(store, &rows, problem, id, error);
}
