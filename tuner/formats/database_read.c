/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/database_read.h"

#include "db/store.h"
#include "tuner/formats/recording_builder.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>

struct reading {
    struct recordings *recordings;
    struct error *error;
    struct store_recorded_row *rows; /* of the current problem; texts belong to its builder */
    json_t **configurations;
    size_t count, capacity;
    int64_t problem;
    json_t *default_configuration; /* of it; NULL: not known */
    struct recording_builder builder;
    bool failed;
};

static bool out_of_memory(struct reading *reading)
{
    return error_out_of_memory(reading->error);
}

static void forget_rows(struct reading *reading)
{
    for (size_t i = 0; i < reading->count; i++)
        json_decref(reading->configurations[i]);
    reading->count = 0;
    json_decref(reading->default_configuration);
    reading->default_configuration = NULL;
}

static bool add_row(struct reading *reading, size_t index)
{
    const struct store_recorded_row *row = &reading->rows[index];
    struct recorded_result result = {
        .outcome = row->outcome,
        .message = row->message,
        .time_ns = row->outcome == OUTCOME_OK ? row->time_ns : 0,
        .energy_j = row->outcome == OUTCOME_OK ? row->energy_j : 0,
        .metrics = row->metrics,
        .compile_seconds = row->compile_seconds,
        .validate_seconds = row->validate_seconds,
        .measure_seconds = row->measure_seconds,
        .framework_seconds = row->framework_seconds,
        .timestamp = row->measured_at,
    };
    json_t *samples;
    if (!json_try(row->samples_ns, 0, &samples, reading->error))
        return false;
    bool done = recording_builder_samples(&reading->builder, samples, 1, &result, reading->error) &&
                recording_builder_add(&reading->builder, reading->configurations[index], &result, reading->error);
    json_decref(samples);
    return done;
}

/* All parameters are known only when all rows of the problem are. */
static bool end_problem(struct reading *reading)
{
    if (!reading->builder.recording)
        return true;
    bool done = true;
    for (size_t i = 0; i < reading->count && done; i++)
        done = recording_builder_parameters(&reading->builder, reading->configurations[i], reading->error);
    for (size_t i = 0; i < reading->count && done; i++)
        done = add_row(reading, i);
    if (done)
        recording_builder_default(&reading->builder, reading->default_configuration);
    struct recording *recording;
    done = done && recording_builder_finish(&reading->builder, &recording, reading->error) &&
           recordings_append(reading->recordings, recording, reading->error);
    forget_rows(reading);
    recording_builder_clear(&reading->builder);
    return done;
}

static bool begin_problem(struct reading *reading, const struct store_recorded_row *row)
{
    char name[512];
    snprintf(name, sizeof name, "%s%s%s on %s", row->template_name, *row->size ? " " : "", row->size,
             row->device_name);
    reading->problem = row->problem;
    struct recording_builder *builder = &reading->builder;
    return json_try(row->default_configuration, 0, &reading->default_configuration, reading->error) &&
           recording_builder_create(builder, name, reading->error) &&
           recording_builder_text(builder, row->template_name, &builder->recording->kernel, reading->error) &&
           recording_builder_text(builder, row->device_name, &builder->recording->device, reading->error) &&
           recording_builder_text(builder, row->device_kind, &builder->recording->device_kind, reading->error) &&
           recording_builder_text(builder, row->size, &builder->recording->size, reading->error) &&
           recording_builder_text(builder, row->definitions, &builder->recording->definitions, reading->error) &&
           recording_builder_text(builder, row->objective, &builder->recording->objective, reading->error);
}

static bool ensure_room(struct reading *reading)
{
    enum { FIRST = 256 };
    if (reading->count < reading->capacity)
        return true;
    size_t capacity = reading->capacity ? 2 * reading->capacity : FIRST;
    struct store_recorded_row *rows = realloc(reading->rows, capacity * sizeof *rows);
    if (!rows)
        return out_of_memory(reading);
    reading->rows = rows;
    json_t **configurations = realloc(reading->configurations, capacity * sizeof(json_t *));
    if (!configurations)
        return out_of_memory(reading);
    reading->configurations = configurations;
    reading->capacity = capacity;
    return true;
}

/* The row's texts are valid only until the next row. */
static bool keep_texts(struct reading *reading, struct store_recorded_row *row)
{
    struct recording_builder *builder = &reading->builder;
    return recording_builder_text(builder, row->message, &row->message, reading->error) &&
           recording_builder_text(builder, row->measured_at, &row->measured_at, reading->error) &&
           recording_builder_text(builder, row->metrics, &row->metrics, reading->error) &&
           recording_builder_text(builder, row->samples_ns, &row->samples_ns, reading->error);
}

/* No measurement ends like this: another program wrote the row. */
static bool is_damaged(const struct store_recorded_row *row)
{
    return (row->outcome == OUTCOME_OK && row->time_ns <= 0) || row->compile_seconds < 0 ||
           row->validate_seconds < 0 || row->measure_seconds < 0 || row->framework_seconds < 0;
}

static bool read_row(const struct store_recorded_row *row, struct reading *reading)
{
    json_t *configuration;
    if (is_damaged(row))
        return true;
    if (!json_try(row->configuration, 0, &configuration, reading->error))
        return false;
    if (!json_is_object(configuration)) {
        json_decref(configuration);
        return true; /* damaged as well */
    }
    if ((reading->builder.recording && row->problem != reading->problem && !end_problem(reading)) ||
        (!reading->builder.recording && !begin_problem(reading, row)) || !ensure_room(reading)) {
        json_decref(configuration);
        return false;
    }
    reading->configurations[reading->count] = configuration;
    reading->rows[reading->count] = *row;
    return keep_texts(reading, &reading->rows[reading->count++]);
}

static bool visit_row(const struct store_recorded_row *row, void *context)
{
    struct reading *reading = context;
    reading->failed = !read_row(row, reading);
    return !reading->failed;
}

static bool refuse_empty(const char *path, struct store *store, struct error *error)
{
    bool shipped;
    if (!store_has_shipped(store, &shipped, error))
        return false;
    error_set(error, ERROR_INPUT, "database %s has no evaluations%s", path,
              shipped ? ", only best configurations shipped with tune" : "");
    return error_hint(error, "run a sweep first: tune TEMPLATE --db %s", path);
}

bool database_read(const char *path, struct recordings *recordings, struct error *error)
{
    struct store *store = NULL;
    struct reading reading = {.recordings = recordings, .error = error};
    size_t before = recordings->count;
    bool done = store_open(path, true, &store, error) && store_recorded(store, visit_row, &reading, error) &&
                !reading.failed && end_problem(&reading);
    forget_rows(&reading);
    recording_builder_clear(&reading.builder);
    free(reading.configurations);
    free(reading.rows);
    if (done && recordings->count == before)
        done = refuse_empty(path, store, error);
    store_close(store);
    return done;
}
