/* SPDX-License-Identifier: Apache-2.0 */
#include "db/best_document.h"

#include "db/ranking.h"
#include "db/store.h"
#include "tuner/json/json_text.h"

#include <math.h>
#include <string.h>

struct gathering {
    struct store *store;
    json_t *devices;
    const char *objective;
    int64_t device; /* whose ceilings these are; -1: none yet */
    struct ceilings ceilings;
    struct error *error;
    bool failed;
};

static double value_of(const struct store_row *row, const char *objective, const json_t *metrics)
{
    if (strcmp(objective, "time") == 0)
        return row->time_ns;
    if (strcmp(objective, "energy") == 0)
        return row->energy_j;
    if (strcmp(objective, "edp") == 0)
        return row->energy_j * row->time_ns * 1e-9;
    return json_number_value(json_object_get(metrics, objective));
}

/* Unknown figures are left out. */
static bool set_positive(json_t *object, const char *name, double value)
{
    return !(value > 0) || !isfinite(value) || json_object_set_new(object, name, json_real(value)) == 0;
}

static bool set_text(json_t *object, const char *name, const char *text)
{
    return !text[0] || json_object_set_new(object, name, json_string_of_bytes(text)) == 0;
}

static bool set_share(json_t *object, const struct share *share)
{
    return share->percent < 0 ||
           (json_object_set_new(object, "percent_of_peak", json_real(round(share->percent * 10) / 10)) == 0 &&
            json_object_set_new(object, "limit", json_string(work_kinds[share->figure].pipe)) == 0 &&
            json_object_set_new(object, "limit_source", json_string(ceiling_source(&share->ceiling))) == 0);
}

static bool set_objective(json_t *object, const struct gathering *gathering, const struct store_row *row)
{
    json_t *metrics = NULL, *definitions = NULL;
    const char *objective = gathering->objective;
    bool is_default = strcmp(objective, row->default_objective) == 0;
    bool done = json_try(row->metrics, 0, &metrics, NULL) && json_try(row->definitions, 0, &definitions, NULL);
    const char *sense = json_string_value(json_object_get(json_object_get(definitions, objective), "sense"));
    done = done && json_object_set_new(object, "objective", json_string(objective)) == 0 &&
           json_object_set_new(object, "default", json_boolean(is_default)) == 0 &&
           set_positive(object, "value", value_of(row, objective, metrics)) &&
           set_text(object, "sense", sense ? sense : "minimize");
    json_decref(metrics);
    json_decref(definitions);
    return done;
}

static bool set_work(json_t *object, const struct store_row *row)
{
    bool done = true;
    for (int i = 0; i < WORK_COUNT; i++)
        done = done && set_positive(object, work_kinds[i].column, row->work.of[i]);
    return done;
}

/* A damaged configuration must not stop the whole report. */
static bool set_configuration(json_t *object, const struct store_row *row)
{
    json_t *configuration;
    if (!json_try(row->configuration, 0, &configuration, NULL))
        return false;
    if (!json_is_object(configuration)) {
        json_decref(configuration);
        configuration = json_object();
    }
    return json_object_set_new(object, "configuration", configuration) == 0;
}

static bool set_resources(json_t *object, const struct store_row *row)
{
    return (row->registers < 0 || json_object_set_new(object, "registers", json_integer(row->registers)) == 0) &&
           (row->shared_bytes < 0 ||
            json_object_set_new(object, "shared_bytes", json_integer(row->shared_bytes)) == 0);
}

/* NULL: out of memory. */
static json_t *row_json(const struct gathering *gathering, const struct store_row *row)
{
    const struct share share = ceilings_share(&gathering->ceilings, &row->work, row->time_ns);
    json_t *object =
        json_pack("{s:I, s:o, s:o, s:o, s:o}", "evaluation", (json_int_t)row->id, "template",
                  json_string_of_bytes(row->template_name), "template_hash", json_string_of_bytes(row->template_hash),
                  "size", json_string_of_bytes(row->size), "time_ns", json_real(row->time_ns));
    if (object && set_configuration(object, row) && set_objective(object, gathering, row) &&
        set_text(object, "data", row->input_files) && set_positive(object, "energy_j", row->energy_j) &&
        set_work(object, row) && set_share(object, &share) && set_resources(object, row) &&
        set_text(object, "origin", row->origin) && set_text(object, "measured_at", row->measured_at))
        return object;
    json_decref(object);
    return NULL;
}

static json_t *rows_of(const struct gathering *gathering, int64_t device)
{
    for (size_t i = 0; i < json_array_size(gathering->devices); i++) {
        json_t *object = json_array_get(gathering->devices, i);
        if (json_integer_value(json_object_get(object, "id")) == device)
            return json_object_get(object, "best");
    }
    return NULL;
}

static bool gather(const struct store_row *row, void *context)
{
    struct gathering *gathering = context;
    json_t *rows = rows_of(gathering, row->device);
    if (!rows) /* a device without problems that count */
        return true;
    if (row->device != gathering->device &&
        !store_ceilings(gathering->store, row->device, &gathering->ceilings, gathering->error)) {
        gathering->failed = true;
        return false;
    }
    gathering->device = row->device;
    if (json_array_append_new(rows, row_json(gathering, row)) == 0)
        return true;
    gathering->failed = true;
    return error_out_of_memory(gathering->error);
}

static bool add_names(json_t *all, const char *definitions, struct error *error)
{
    json_t *names;
    if (!ranking_names(definitions, &names, error))
        return false;
    bool done = true;
    for (size_t i = 0; done && i < json_array_size(names); i++)
        done = json_object_set_new(all, json_string_value(json_array_get(names, i)), json_true()) == 0;
    json_decref(names);
    return done || error_out_of_memory(error);
}

/* The names of all templates' objectives, as the keys of an object: the built-in ones first. */
static bool list_objectives(struct store *store, json_t **names, struct error *error)
{
    struct query query;
    enum query_step step = QUERY_FAILED;
    *names = json_object();
    bool done = *names ? add_names(*names, "", error) : error_out_of_memory(error);
    if (done && query_open(&query, store,
                           "SELECT metrics FROM template WHERE metrics IS NOT NULL GROUP BY metrics ORDER BY min(id)",
                           error)) {
        while (done && (step = query_step(&query, error)) == QUERY_ROW)
            done = add_names(*names, query_text(&query, 0), error);
        query_close(&query);
    }
    return done && step == QUERY_DONE;
}

bool best_document_add(struct store *store, json_t *devices, struct error *error)
{
    struct gathering gathering = {.store = store, .devices = devices, .device = -1, .error = error};
    json_t *names = NULL, *ignored;
    bool done = true;
    for (size_t i = 0; done && i < json_array_size(devices); i++)
        done =
            json_object_set_new(json_array_get(devices, i), "best", json_array()) == 0 || error_out_of_memory(error);
    done = done && list_objectives(store, &names, error);
    json_object_foreach(names, gathering.objective, ignored)
    {
        const struct store_filter filter = {.objective = gathering.objective};
        done = done && store_best(store, &filter, gather, &gathering, error) && !gathering.failed;
    }
    json_decref(names);
    return done;
}
