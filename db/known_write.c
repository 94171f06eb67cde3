/* SPDX-License-Identifier: Apache-2.0 */
/* Write known results: the best rows of one template on one device, as a text that can be reviewed. */
#include "db/dispatch.h"
#include "db/evaluations.h"
#include "db/objects.h"

#include "tuner/dispatch/dispatch.h"
#include "tuner/error/output_file.h"
#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 };

/* The evaluations that match the filter. */
struct choice {
    int64_t *ids;
    size_t count, capacity;
    bool complete;
};

static bool choose(const struct store_row *row, void *context)
{
    struct choice *choice = context;
    if (choice->count == choice->capacity) {
        size_t capacity = choice->capacity ? 2 * choice->capacity : 16;
        int64_t *ids = reallocarray(choice->ids, capacity, sizeof *ids);
        if (!ids) {
            choice->complete = false;
            return false;
        }
        choice->ids = ids;
        choice->capacity = capacity;
    }
    choice->ids[choice->count++] = row->id;
    return true;
}

#define OF_PROBLEM(with, NAME, name, column, unit, pipe, peak) "problem." #column ", "
static const char problem_sql[] =
    "SELECT template.name AS template, template.hash AS template_hash, template.used_at, template.id AS template_id, "
    "problem.device, device.name AS device_name, problem.size, nullif(problem.inputs, '') AS inputs, "
    "problem.input_files AS data, toolchain.driver, toolchain.compiler, "
    "template.descriptions, " //
    WORK_FIGURES(
        OF_PROBLEM, ) "evaluation.measured_at FROM evaluation JOIN problem ON problem.id = evaluation.problem "
                      "JOIN template ON template.id = problem.template JOIN device ON device.id = problem.device "
                      "JOIN toolchain ON toolchain.id = problem.toolchain WHERE evaluation.id = ?";

static const char evaluation_sql[] =
    "SELECT configuration, " EVALUATION_DOCUMENTS "measured_at FROM evaluation WHERE id = ?";

/* The command that reproduces this row. */
static const char provenance_sql[] =
    "SELECT run.tune_version, 'tune ' || template.name || ' --space ' || space.name || ' --size ' || problem.size || "
    "' --strategy ' || run.strategy || coalesce(' --budget ' || nullif(run.budget, ''), '') || "
    "CASE WHEN coalesce(run.objective, 'time') = 'time' THEN '' ELSE ' --objective \"' || run.objective || '\"' END "
    "|| "
    "' --seed ' || run.seed "
    "AS command FROM run_evaluation JOIN run ON run.id = run_evaluation.run JOIN space ON space.id = run.space "
    "JOIN problem ON problem.id = run.problem JOIN template ON template.id = problem.template "
    "WHERE run_evaluation.evaluation = ? ORDER BY run_evaluation.reused, run.id DESC LIMIT 1";

/* The trees of one version of the template, each source's latest. */
static const char dispatches_sql[] =
    "SELECT dispatch.device, nullif(dispatch.inputs, '') AS inputs, toolchain.driver, toolchain.compiler, "
    "dispatch.objective, dispatch.made_at, dispatch.document FROM dispatch "
    "CROSS JOIN toolchain ON toolchain.id = dispatch.toolchain WHERE dispatch.template = ? "
    "ORDER BY dispatch.inputs, dispatch.objective, " DISPATCH_BY_ORIGIN;

static const char description_sql[] = "SELECT description FROM device WHERE id = ?";

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

/* For each chosen row: its identity, its evaluation and its provenance. */
static bool collect(struct store *store, const struct choice *choice, json_t *rows, struct error *error)
{
    for (size_t i = 0; i < choice->count; i++) {
        json_t *problem = NULL, *evaluations = NULL, *provenance = NULL;
        bool done = rows_json(store, problem_sql, choice->ids[i], SHAPE_OBJECTS, &problem, error) &&
                    rows_json(store, evaluation_sql, choice->ids[i], SHAPE_OBJECTS, &evaluations, error) &&
                    rows_json(store, provenance_sql, choice->ids[i], SHAPE_OBJECTS, &provenance, error);
        if (done) {
            json_t *row = json_array_get(problem, 0);
            json_t *origin = json_array_get(provenance, 0);
            done =
                (json_object_set(row, "evaluations", evaluations) == 0 &&
                 (!origin || json_object_set(row, "provenance", origin) == 0) && json_array_append(rows, row) == 0) ||
                error_out_of_memory(error);
        }
        json_decref(problem);
        json_decref(evaluations);
        json_decref(provenance);
        if (!done)
            return false;
    }
    return true;
}

/* The row with the most recently used version of the template. An error unless all rows share template and device. */
static bool find_latest(const json_t *rows, const json_t **latest, struct error *error)
{
    *latest = json_array_get(rows, 0);
    if (!*latest)
        return error_set(error, ERROR_INPUT, "there is no valid evaluation to write");
    for (size_t i = 1; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(text_of(row, "template"), text_of(*latest, "template")) != 0) {
            error_set(error, ERROR_INPUT, "a file of known results holds one template, not both %s and %s",
                      text_of(*latest, "template"), text_of(row, "template"));
            return error_hint(error, "name the template");
        }
        if (!json_equal(json_object_get(row, "device"), json_object_get(*latest, "device"))) {
            error_set(error, ERROR_INPUT, "a file of known results holds one device, not both %s and %s",
                      text_of(*latest, "device_name"), text_of(row, "device_name"));
            return error_hint(error, "name the device");
        }
        int later = strcmp(text_of(row, "used_at"), text_of(*latest, "used_at"));
        json_int_t id = json_integer_value(json_object_get(row, "template_id"));
        if (later > 0 || (later == 0 && id > json_integer_value(json_object_get(*latest, "template_id"))))
            *latest = row;
    }
    return true;
}

/* Copy the members that exist, in this order. */
static bool copy_members(json_t *to, const json_t *from, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_object_get(from, names[i]);
        if (value && json_object_set(to, names[i], value) != 0)
            return false;
    }
    return true;
}

#define FIGURE_NAME(with, NAME, name, column, unit, pipe, peak) #column,

/* The rungs of a ladder are rows of one problem; they follow each other. */
static bool is_same_problem(const json_t *a, const json_t *b)
{
    static const char *const names[] = {"size", "inputs", "driver", "compiler"};
    bool same = a != NULL;
    for (size_t i = 0; same && i < sizeof names / sizeof *names; i++)
        same = strcmp(text_of(a, names[i]), text_of(b, names[i])) == 0;
    return same;
}

static double time_of(const json_t *row, size_t which)
{
    return json_number_value(json_object_get(json_array_get(json_object_get(row, "evaluations"), which), "time_ns"));
}

/* A further rung. The problem's provenance is the command that found the fastest. */
static bool add_rung(json_t *problem, const json_t *row)
{
    json_t *rungs = json_object_get(problem, "evaluations"), *provenance = json_object_get(row, "provenance");
    bool fastest = true;
    for (size_t i = 0; i < json_array_size(rungs); i++)
        fastest = fastest && time_of(row, 0) < time_of(problem, i);
    return (!fastest || !provenance || json_object_set(problem, "provenance", provenance) == 0) &&
           json_array_extend(rungs, json_object_get(row, "evaluations")) == 0;
}

static json_t *problems_of(const json_t *rows, const char *template_hash, const char **date)
{
    static const char *const names[] = {
        "size", "inputs", "data", "driver", "compiler", WORK_FIGURES(FIGURE_NAME, ) "evaluations", "provenance"};
    const size_t count = sizeof names / sizeof *names;
    json_t *problems = json_array();
    for (size_t i = 0; problems && i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(text_of(row, "template_hash"), template_hash) != 0)
            continue;
        if (strcmp(text_of(row, "measured_at"), *date) > 0)
            *date = text_of(row, "measured_at");
        json_t *problem = json_array_get(problems, json_array_size(problems) - 1);
        bool added;
        if (is_same_problem(problem, row)) {
            added = add_rung(problem, row);
        } else {
            problem = json_object();
            added = json_array_append_new(problems, problem) == 0 && copy_members(problem, row, names, count);
        }
        if (!added) {
            json_decref(problems);
            problems = NULL;
        }
    }
    return problems;
}

/* The device without what is specific to one machine. */
static bool device_of(struct store *store, const json_t *row, json_t **device, struct error *error)
{
    json_t *rows;
    int64_t id = json_integer_value(json_object_get(row, "device"));
    if (!rows_json(store, description_sql, id, SHAPE_VALUES, &rows, error))
        return false;
    *device = json_incref(json_array_get(rows, 0));
    json_decref(rows);
    json_object_del(*device, "uuid");
    return true;
}

static bool is_for_the_same(const json_t *a, const json_t *b)
{
    return a && strcmp(text_of(a, "inputs"), text_of(b, "inputs")) == 0 &&
           strcmp(text_of(a, "objective"), text_of(b, "objective")) == 0;
}

/* A damaged document is left out. */
static bool add_dispatch(json_t *chosen, json_t *row, struct error *error)
{
    struct dispatch *dispatch;
    struct error damage = {0};
    if (!dispatch_read(json_object_get(row, "document"), "the dispatch", &dispatch, NULL, &damage))
        return damage.code == ERROR_INPUT || error_out_of_memory(error);
    dispatch_free(dispatch);
    json_object_del(row, "device");
    return json_array_append(chosen, row) == 0 || error_out_of_memory(error);
}

/* The dispatches of a row's version of the template and device, one for each data and objective. NULL: none. */
static bool dispatches_of(struct store *store, const json_t *latest, json_t **dispatches, struct error *error)
{
    size_t i;
    json_t *rows, *row, *chosen = NULL;
    int64_t template_id = json_integer_value(json_object_get(latest, "template_id"));
    *dispatches = NULL;
    if (!rows_json(store, dispatches_sql, template_id, SHAPE_OBJECTS, &rows, error))
        return false;
    chosen = json_array();
    bool done = chosen || error_out_of_memory(error);
    json_array_foreach(rows, i, row)
    {
        if (done && json_equal(json_object_get(row, "device"), json_object_get(latest, "device")) &&
            !is_for_the_same(json_array_get(chosen, json_array_size(chosen) - 1), row))
            done = add_dispatch(chosen, row, error);
    }
    json_decref(rows);
    if (done && json_array_size(chosen) > 0)
        *dispatches = json_incref(chosen);
    json_decref(chosen);
    return done;
}

/* `with_trees`: the dispatches as well. */
static bool compose(struct store *store, const json_t *rows, bool with_trees, json_t **document, struct error *error)
{
    const json_t *latest;
    json_t *device = NULL, *dispatches = NULL;
    *document = NULL;
    if (!find_latest(rows, &latest, error) || (with_trees && !dispatches_of(store, latest, &dispatches, error)))
        return false;
    if (!device_of(store, latest, &device, error)) {
        json_decref(dispatches);
        return false;
    }
    const char *date = "";
    json_t *problems = problems_of(rows, text_of(latest, "template_hash"), &date);
    if (problems)
        *document = json_pack("{s:i, s:s, s:s, s:O, s:O, s:O*, s:{s:s, s:s%}}", "format", FORMAT, "template",
                              text_of(latest, "template"), "template_hash", text_of(latest, "template_hash"),
                              "device", device, "problems", problems, "dispatches", dispatches, "provenance",
                              "tune_version", TUNE_VERSION, "date", date, strnlen(date, strlen("2000-01-01")));
    json_t *descriptions = json_object_get(latest, "descriptions");
    if (*document && descriptions && json_object_set(*document, "descriptions", descriptions) != 0) {
        json_decref(*document);
        *document = NULL;
    }
    json_decref(problems);
    json_decref(dispatches);
    json_decref(device);
    return *document || error_out_of_memory(error);
}

static bool write_text(const char *path, const char *text, struct error *error)
{
    struct output_file file;
    if (!output_file_open(&file, path, error))
        return false;
    fputs(text, file.stream);
    fputc('\n', file.stream);
    return output_file_close(&file, true, error);
}

bool store_known_write(struct store *store, const struct store_filter *filter, const char *path, struct error *error)
{
    struct choice choice = {.complete = true};
    char *text = NULL;
    json_t *document = NULL;
    json_t *rows = json_array();
    bool done = rows != NULL || error_out_of_memory(error);
    done = done && store_best(store, filter, choose, &choice, error) &&
           (choice.complete || error_out_of_memory(error)) && collect(store, &choice, rows, error) &&
           compose(store, rows, !filter->size, &document, error);
    if (done) {
        text = json_text(document, JSON_INDENT(2));
        if (text)
            json_join_numbers(text);
        done = text ? write_text(path, text, error) : error_out_of_memory(error);
    }
    free(text);
    free(choice.ids);
    json_decref(document);
    json_decref(rows);
    return done;
}
