/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The documents that reports are made of, as SCHEMA.md describes them.
 *
 * For a roofline, `device.ceilings` has a line for each figure of work that the device's rate is known of:
 *
 *     {"figure": "special_ops", "limit": "special-function", "rate": 4.1e12, "unit": "op/s", "source": "measured",
 *      "data_sheet_rate": 4.18e12, "configuration": {...}, "origin": "measured", "measured_at": "...", ...}
 *
 * in the order of tuner/evaluation/work.h; `source` is "measured" or "data sheet", and what follows it is of the
 * probe. Each evaluation has the amounts under the same names (flops, bytes, special_ops, shared_traffic,
 * integer_ops), or its problem has. The least time is the largest amount / rate, and the figure that it comes from is
 * the limit that binds.
 */
#include "db/best_document.h"
#include "db/ceilings.h"
#include "db/dispatch_document.h"
#include "db/distrust.h"
#include "db/evaluations.h"
#include "db/objects.h"
#include "db/ranking.h"
#include "db/run_best.h"
#include "db/shown.h"

#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>

/* A damaged configuration must not stop the whole report. */
#define CONFIGURATION                                                                                                \
    "CASE WHEN NOT json_valid(evaluation.configuration) THEN '{}' "                                                  \
    "WHEN json_type(evaluation.configuration) <> 'object' THEN '{}' ELSE evaluation.configuration END AS "           \
    "configuration"

/* Rows that belong to an object, as its member `name`. */
struct member {
    const char *name;
    enum shape shape;
    const char *sql; /* with one parameter, the object's id */
};

static bool add_members(struct store *store, json_t *object, const struct member *members, size_t count,
                        struct error *error)
{
    int64_t id = json_integer_value(json_object_get(object, "id"));
    for (size_t i = 0; i < count; i++) {
        json_t *array;
        if (!rows_json(store, members[i].sql, id, members[i].shape, &array, error))
            return false;
        if (json_object_set_new(object, members[i].name, array) != 0)
            return error_out_of_memory(error);
    }
    return true;
}

/* Figures of work, as members. */
#define OF_PROBLEM(with, NAME, name, column, unit, pipe, peak) "problem." #column ", "

enum { DEVICE_MEMBERS = 1, TOOLCHAIN_MEMBERS = 2, PROBLEM_MEMBERS = 2, RUN_MEMBERS = 1 };

static const struct member device_members[DEVICE_MEMBERS] = {
    {"templates", SHAPE_VALUES,
     "SELECT DISTINCT template.name FROM problem JOIN template ON template.id = problem.template "
     "WHERE problem.device = ? AND template.name <> '" STORE_PROBES "' ORDER BY template.name"},
};

static const char devices_sql[] =
    "SELECT device.id, device.kind, device.name, device.architecture, count(evaluation.id) AS evaluations, "
    "coalesce(sum(evaluation.outcome NOT IN ('ok', 'limit')), 0) AS failures, "
    "(SELECT count(*) FROM run JOIN problem ON problem.id = run.problem WHERE problem.device = device.id) AS runs, "
    "max(evaluation.measured_at) AS last_measured_at "
    "FROM device JOIN problem ON problem.device = device.id "
    "LEFT JOIN evaluation ON evaluation.problem = problem.id "
    "GROUP BY device.id ORDER BY coalesce(device.peak_flops, 0) DESC, device.name, device.id";

static void end_reading(struct store *store)
{
    sqlite3_exec(store->sqlite, "ROLLBACK", NULL, NULL, NULL);
}

/* All statements of a document see the same state of the database, whatever is written meanwhile. */
static bool begin_reading(struct store *store, struct error *error)
{
    struct query query;
    if (!sqlite3_get_autocommit(store->sqlite)) /* there was no memory to end the last one */
        end_reading(store);
    return query_open(&query, store, "BEGIN", error) && query_run(&query, error);
}

bool store_devices_json(struct store *store, json_t **devices, struct error *error)
{
    *devices = NULL;
    if (!begin_reading(store, error))
        return false;
    json_t *array = NULL;
    bool done = rows_json(store, devices_sql, 0, SHAPE_OBJECTS, &array, error);
    for (size_t i = 0; done && i < json_array_size(array); i++)
        done = add_members(store, json_array_get(array, i), device_members, DEVICE_MEMBERS, error);
    done = done && best_document_add(store, array, error);
    end_reading(store);
    if (done)
        *devices = json_incref(array);
    json_decref(array);
    return done;
}

static const char device_sql[] = "SELECT id, description FROM device WHERE id = ?";

static const struct member toolchain_members[TOOLCHAIN_MEMBERS] = {
    {"drivers", SHAPE_VALUES,
     "SELECT DISTINCT toolchain.driver FROM problem JOIN toolchain ON toolchain.id = problem.toolchain "
     "WHERE problem.device = ? ORDER BY toolchain.driver"},
    {"compilers", SHAPE_VALUES,
     "SELECT DISTINCT toolchain.compiler FROM problem JOIN toolchain ON toolchain.id = problem.toolchain "
     "WHERE problem.device = ? ORDER BY toolchain.compiler"},
};

/* The device's description, with its id, drivers, compilers and ceilings in the same object. One that is damaged must
 * not stop the report. */
static bool device_json(struct store *store, int64_t id, json_t **device, struct error *error)
{
    json_t *rows, *ceilings = NULL;
    *device = NULL;
    if (!rows_json(store, device_sql, id, SHAPE_OBJECTS, &rows, error))
        return false;
    json_t *object = json_incref(json_array_get(rows, 0));
    json_decref(rows);
    if (!object) {
        error_set(error, ERROR_INPUT, "the database %s has no device %lld", store->path, (long long)id);
        return false;
    }
    json_t *description = json_incref(json_object_get(object, "description"));
    json_object_del(object, "description");
    bool done = !json_is_object(description) || json_object_update_missing(object, description) == 0 ||
                error_out_of_memory(error);
    json_decref(description);
    done = done && add_members(store, object, toolchain_members, TOOLCHAIN_MEMBERS, error) &&
           ceilings_json(store, id, &ceilings, error) &&
           (json_object_set_new(object, "ceilings", ceilings) == 0 || error_out_of_memory(error));
    if (done)
        *device = json_incref(object);
    json_decref(object);
    return done;
}

static const char problems_sql[] =
    "SELECT problem.id, template.name AS template, template.hash AS template_hash, problem.size, "
    "problem.input_files AS data, template.id = coalesce((SELECT newer.id FROM problem AS other JOIN template AS "
    "newer ON newer.id = "
    "other.template "
    "JOIN fastest ON fastest.problem = other.id WHERE other.device = problem.device AND other.size = problem.size "
    "AND other.inputs = problem.inputs "
    "AND newer.name = template.name ORDER BY newer.used_at DESC, newer.id DESC LIMIT 1), template.id) AS latest, "
    "toolchain.driver, toolchain.compiler, template.descriptions, template.metrics, "
    "template.objective, " WORK_FIGURES(
        OF_PROBLEM, ) "(SELECT json_group_object(outcome, rows) FROM (SELECT outcome, count(*) AS rows FROM "
                      "evaluation "
                      "WHERE evaluation.problem = problem.id GROUP BY outcome)) AS outcomes "
                      "FROM problem JOIN template ON template.id = problem.template "
                      "JOIN toolchain ON toolchain.id = problem.toolchain WHERE problem.device = ? "
                      "AND template.name <> '" STORE_PROBES "' "
                      "ORDER BY template.name, template.used_at DESC, template.id DESC, problem.flops, "
                      "problem.bytes, problem.size, "
                      "problem.inputs, problem.id";

/* The size of a page, and the memory to make it, must be bounded: so the problems of a device share this many rows.
 */
enum { ROWS_SHOWN = 8000, LEAST_ROWS_SHOWN = 50 };

/* The winners of the finals that it lost or tied, by objective. */
#define LOST                                                                                                         \
    "(SELECT nullif(json_group_object(objective, winner), '{}') FROM verdict "                                       \
    "WHERE verdict.evaluation = evaluation.id AND result <> 'winner') AS lost"

#define RUNS(order)                                                                                                  \
    "SELECT run.id, space.name AS space, space.hash AS space_hash, strategy, seed, budget, objective, limits, "      \
    "configurations, tune_version, host, started_at, ended_at, status, " order ", "                                  \
    "(SELECT count(*) FROM run_evaluation WHERE run_evaluation.run = run.id AND reused) AS reused, "                 \
    "CASE WHEN limits <> '' THEN " RUN_BEST " END AS best "                                                          \
    "FROM run JOIN space ON space.id = run.space" RUN_WON "WHERE run.problem = ? ORDER BY run.id"
#define SPACES                                                                                                       \
    "SELECT DISTINCT space.name, space.hash, space.text FROM run JOIN space ON space.id = run.space "                \
    "WHERE run.problem = ? ORDER BY space.name, space.id"
#define SHOWN_OF_RUN(column)                                                                                         \
    "(SELECT json_group_array(" column ") FROM (SELECT place.sequence, place.evaluation FROM shown CROSS JOIN "      \
    "run_evaluation AS place ON place.run = run.id AND place.evaluation = shown.id ORDER BY place.sequence))"

static const struct member whole_members[PROBLEM_MEMBERS] = {
    {"spaces", SHAPE_OBJECTS, SPACES},
    {"runs", SHAPE_OBJECTS,
     RUNS("(SELECT json_group_array(evaluation) FROM (SELECT evaluation FROM run_evaluation "
          "WHERE run_evaluation.run = run.id ORDER BY sequence)) AS \"order\"")},
};

/* Of a sample, what a run has of it, at which places, and how many there were. */
static const struct member sampled_members[PROBLEM_MEMBERS] = {
    {"spaces", SHAPE_OBJECTS, SPACES},
    {"runs", SHAPE_OBJECTS,
     RUNS(SHOWN_OF_RUN("evaluation") " AS \"order\", " SHOWN_OF_RUN(
         "sequence") " AS places, (SELECT max(sequence) "
                     "FROM run_evaluation WHERE "
                     "run_evaluation.run = run.id) AS tried")},
};

#define EVALUATIONS(texts, condition)                                                                                \
    "SELECT evaluation.id, place.run, place.sequence, " CONFIGURATION ", " texts EVALUATION_DOCUMENTS LOST           \
    ", measured_at, origin "                                                                                         \
    "FROM evaluation LEFT JOIN run_evaluation AS place ON place.evaluation = evaluation.id AND place.run = "         \
    "(SELECT max(run) FROM run_evaluation AS any_place WHERE any_place.evaluation = evaluation.id AND NOT reused) "  \
    "WHERE " condition " ORDER BY evaluation.id"

/* A sample has no raw samples of times: no diagram needs them. */
#define TEXT_OF_SAMPLE(name, document)                                                                               \
    "CASE WHEN '" #document "' <> 'samples' THEN evaluation." #name " END AS " #document ", "

static const char whole_evaluations_sql[] = EVALUATIONS(EVALUATION_TEXT_DOCUMENTS, "evaluation.problem = ?");
static const char sampled_evaluations_sql[] =
    EVALUATIONS(EVALUATION_TEXTS(TEXT_OF_SAMPLE), "evaluation.id IN (SELECT id FROM shown)");

static const struct member run_members[RUN_MEMBERS] = {
    {"finals", SHAPE_OBJECTS,
     "SELECT place, evaluation, CASE WHEN place = 1 THEN 'winner' WHEN tied THEN 'tied' ELSE 'lost' END AS result, "
     "time_ns, time_low_ns AS low_ns, time_high_ns AS high_ns, ratio, ratio_low, ratio_high, rounds_ns AS rounds "
     "FROM final WHERE run = ? ORDER BY place"},
};

/* Insert a name after the one that precedes it in its configuration; spaces may differ in their parameters. */
static bool insert_name(json_t *names, size_t *place, const char *name)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        if (strcmp(json_string_value(json_array_get(names, i)), name) == 0) {
            *place = i + 1;
            return true;
        }
    }
    return json_array_insert_new(names, (*place)++, json_string(name)) == 0;
}

/* The names of all parameters in the template's order, which every configuration keeps. */
static json_t *parameter_names(const json_t *evaluations)
{
    json_t *names = json_array();
    bool done = names != NULL;
    for (size_t i = 0; done && i < json_array_size(evaluations); i++) {
        json_t *configuration = json_object_get(json_array_get(evaluations, i), "configuration");
        size_t place = 0;
        for (void *at = json_object_iter(configuration); done && at; at = json_object_iter_next(configuration, at))
            done = insert_name(names, &place, json_object_iter_key(at));
    }
    if (done)
        return names;
    json_decref(names);
    return NULL;
}

/* Choose what is shown of a problem with more rows than its share. */
static bool sample_problem(struct store *store, const json_t *problem, size_t share, struct error *error)
{
    json_t *names = NULL, *metrics = json_object_get(problem, "metrics");
    char *definitions = metrics ? json_text(metrics, JSON_COMPACT) : strdup("");
    bool done = (definitions || error_out_of_memory(error)) && ranking_names(definitions, &names, error) &&
                shown_choose(store, json_integer_value(json_object_get(problem, "id")), names,
                             json_string_value(json_object_get(problem, "objective")), share, error);
    free(definitions);
    json_decref(names);
    return done;
}

static bool add_evaluations(struct store *store, json_t *problem, bool sampled, struct error *error)
{
    json_t *array;
    int64_t id = json_integer_value(json_object_get(problem, "id"));
    if (!rows_json(store, sampled ? sampled_evaluations_sql : whole_evaluations_sql, id, SHAPE_OBJECTS, &array,
                   error))
        return false;
    return json_object_set_new(problem, "evaluations", array) == 0 || error_out_of_memory(error);
}

static size_t row_count(const json_t *problem)
{
    const char *outcome;
    json_t *count;
    size_t total = 0;
    json_object_foreach(json_object_get(problem, "outcomes"), outcome, count) total +=
        (size_t)json_integer_value(count);
    return total;
}

static bool complete_problem(struct store *store, json_t *problem, size_t share, struct error *error)
{
    bool sampled = row_count(problem) > share;
    if ((sampled && !sample_problem(store, problem, share, error)) ||
        !add_members(store, problem, sampled ? sampled_members : whole_members, PROBLEM_MEMBERS, error) ||
        !add_evaluations(store, problem, sampled, error))
        return false;
    const json_t *runs = json_object_get(problem, "runs");
    for (size_t i = 0; i < json_array_size(runs); i++) {
        if (!add_members(store, json_array_get(runs, i), run_members, RUN_MEMBERS, error))
            return false;
    }
    bool latest = json_integer_value(json_object_get(problem, "latest")) != 0;
    return (json_object_set_new(problem, "latest", json_boolean(latest)) == 0 &&
            json_object_set_new(problem, "parameters", parameter_names(json_object_get(problem, "evaluations"))) ==
                0) ||
           error_out_of_memory(error);
}

static size_t share_of(const json_t *problems)
{
    size_t count = json_array_size(problems), *counts = calloc(count + 1, sizeof *counts);
    for (size_t i = 0; counts && i < count; i++)
        counts[i] = row_count(json_array_get(problems, i));
    size_t share = counts ? shown_share(counts, count, ROWS_SHOWN) : 0;
    free(counts);
    return share > LEAST_ROWS_SHOWN ? share : LEAST_ROWS_SHOWN;
}

static bool problems_json(struct store *store, int64_t device, json_t **problems, struct error *error)
{
    char *sql = distrust_view("fastest", problems_sql);
    bool read = sql ? rows_json(store, sql, device, SHAPE_OBJECTS, problems, error) : error_out_of_memory(error);
    free(sql);
    if (!read)
        return false;
    size_t share = share_of(*problems);
    bool done = shown_begin(store, error);
    for (size_t i = 0; done && i < json_array_size(*problems); i++)
        done = complete_problem(store, json_array_get(*problems, i), share, error);
    if (!done) {
        json_decref(*problems);
        *problems = NULL;
    }
    return done;
}

static const char now_sql[] = "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now') AS generated_at";

bool store_device_json(struct store *store, int64_t device_id, json_t **document, struct error *error)
{
    json_t *rows = NULL, *device = NULL, *problems = NULL;
    *document = NULL;
    if (!begin_reading(store, error))
        return false;
    bool done = rows_json(store, now_sql, 0, SHAPE_OBJECTS, &rows, error) &&
                device_json(store, device_id, &device, error) && problems_json(store, device_id, &problems, error) &&
                dispatch_document_add(store, device_id, json_array_get(rows, 0), error);
    end_reading(store);
    if (done) {
        json_t *object = json_array_get(rows, 0);
        done =
            (json_object_set_new(object, "tune_version", json_string(TUNE_VERSION)) == 0 &&
             json_object_set(object, "device", device) == 0 && json_object_set(object, "problems", problems) == 0) ||
            error_out_of_memory(error);
        if (done)
            *document = json_incref(object);
    }
    json_decref(rows);
    json_decref(device);
    json_decref(problems);
    return done;
}
