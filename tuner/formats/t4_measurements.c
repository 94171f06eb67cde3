/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t4_measurements.h"

#include "tuner/evaluation/objective.h"
#include "tuner/json/json_text.h"
#include "tuner/lang/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Those that Kernel Tuner (kernel_tuner/integration.py) would have as large as possible; time and energy are ours. */
static const char *const rates[] = {
    "GFLOP/s", "TFLOP/s", "GB/s", "TB/s", "GFLOPS/W", "TFLOPS/W", "GFLOP/J", "TFLOP/J",
};

static const char *known_sense(const char *name)
{
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        if (strcmp(rates[i], name) == 0)
            return "maximize";
    }
    return NULL;
}

static bool is_sense(const char *text)
{
    return text && (strcmp(text, "minimize") == 0 || strcmp(text, "maximize") == 0);
}

/* As templates may name metrics (tuner/lang/metric.c). */
static bool is_name(const char *name)
{
    size_t length = strlen(name);
    bool plain = length > 0 && length <= METRIC_NAME_LIMIT && !objective_find(name);
    for (const char *c = name; plain && *c; c++)
        plain = (unsigned char)*c >= ' ' && *c != '"' && *c != '\\' && *c != 0x7f;
    return plain;
}

static bool is_time(const char *name)
{
    return strcmp(name, "time") == 0 || strcmp(name, "TotalDuration") == 0;
}

const json_t *t4_time(const json_t *entry)
{
    const json_t *measurements = json_object_get(entry, "measurements");
    for (size_t i = 0; i < json_array_size(measurements); i++) {
        const json_t *measurement = json_array_get(measurements, i);
        const char *name = json_string_value(json_object_get(measurement, "name"));
        if (name && is_time(name))
            return measurement;
    }
    return NULL;
}

static bool has_room(const struct t4_measurements *measurements, const char *name)
{
    return json_object_get(measurements->definitions, name) ||
           (is_name(name) && json_object_size(measurements->definitions) < METRICS_MOST);
}

/* A definition with what is known of it; one that is there already stays. */
static bool define(struct t4_measurements *measurements, const char *name, const char *text, const char *sense,
                   struct error *error)
{
    if (json_object_get(measurements->definitions, name))
        return true;
    json_t *definition = json_pack("{s:s, s:s*}", "text", text, "sense", sense);
    return json_object_set_new(measurements->definitions, name, definition) == 0 || error_out_of_memory(error);
}

bool t4_measurements_begin(struct t4_measurements *measurements, const json_t *document, struct error *error)
{
    json_t *metrics = json_object_get(json_object_get(document, "metadata"), "metrics"), *metric;
    const char *name;
    bool done = (measurements->definitions = json_object()) != NULL || error_out_of_memory(error);
    json_object_foreach(metrics, name, metric)
    {
        const char *text = json_string_value(json_object_get(metric, "text"));
        const char *sense = json_string_value(json_object_get(metric, "sense"));
        if (done && has_room(measurements, name))
            done = define(measurements, name, text ? text : "", is_sense(sense) ? sense : NULL, error);
    }
    return done;
}

static bool can_rank(const struct t4_measurements *measurements, const char *name)
{
    return objective_find(name) || json_object_get(json_object_get(measurements->definitions, name), "sense") != NULL;
}

static bool find_objective(struct t4_measurements *measurements, const json_t *entry, struct error *error)
{
    const json_t *objectives = json_object_get(entry, "objectives");
    for (size_t i = 0; i < json_array_size(objectives) && !measurements->objective; i++) {
        const char *name = json_string_value(json_array_get(objectives, i));
        if (name && can_rank(measurements, name) && !(measurements->objective = strdup(name)))
            return error_out_of_memory(error);
    }
    return true;
}

static void read_energy(const json_t *measurement, struct recorded_result *result)
{
    const char *unit = json_string_value(json_object_get(measurement, "unit"));
    double energy = json_number_value(json_object_get(measurement, "value"));
    if (unit && strcmp(unit, "mJ") == 0)
        energy *= 1e-3;
    if (energy > 0 && isfinite(energy))
        result->energy_j = energy;
}

static bool read_measurement(struct t4_measurements *measurements, const json_t *measurement, json_t *values,
                             struct recorded_result *result, struct error *error)
{
    const char *name = json_string_value(json_object_get(measurement, "name"));
    json_t *value = json_object_get(measurement, "value");
    if (name && strcmp(name, "energy") == 0)
        read_energy(measurement, result);
    if (!name || !json_is_number(value) || objective_find(name) || is_time(name))
        return true;
    if (!has_room(measurements, name)) {
        measurements->left_out++;
        return true;
    }
    return define(measurements, name, "", known_sense(name), error) &&
           (json_object_set(values, name, value) == 0 || error_out_of_memory(error));
}

bool t4_measurements_read(struct t4_measurements *measurements, const json_t *entry,
                          struct recording_builder *builder, struct recorded_result *result, struct error *error)
{
    const json_t *list = json_object_get(entry, "measurements");
    if (result->outcome != OUTCOME_OK)
        return true;
    json_t *values = json_object();
    bool done = values != NULL || error_out_of_memory(error);
    for (size_t i = 0; done && i < json_array_size(list); i++)
        done = read_measurement(measurements, json_array_get(list, i), values, result, error);
    char *text = done && json_object_size(values) > 0 ? json_text(values, JSON_COMPACT) : NULL;
    if (done && json_object_size(values) > 0)
        done = (text || error_out_of_memory(error)) && recording_builder_text(builder, text, &result->metrics, error);
    free(text);
    json_decref(values);
    return done && find_objective(measurements, entry, error);
}

bool t4_measurements_end(const struct t4_measurements *measurements, struct recording_builder *builder,
                         struct error *error)
{
    struct recording *recording = builder->recording;
    const char *objective = measurements->objective;
    recording->left_out = measurements->left_out;
    if (objective && !recording_builder_text(builder, strcmp(objective, "time") == 0 ? "" : objective,
                                             &recording->objective, error))
        return false;
    if (json_object_size(measurements->definitions) == 0)
        return true;
    char *text = json_text(measurements->definitions, JSON_COMPACT);
    bool done =
        (text || error_out_of_memory(error)) && recording_builder_text(builder, text, &recording->definitions, error);
    free(text);
    return done;
}

void t4_measurements_clear(struct t4_measurements *measurements)
{
    json_decref(measurements->definitions);
    free(measurements->objective);
}
