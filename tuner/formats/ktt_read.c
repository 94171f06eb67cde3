/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/ktt_read.h"

#include "tuner/formats/time_unit.h"

#include <math.h>
#include <string.h>

static bool read_status(const json_t *entry, enum outcome *outcome, const char **message, struct error *error)
{
    static const struct {
        const char *name;
        enum outcome outcome;
    } states[] = {
        {"Ok", OUTCOME_OK},
        {"ComputationFailed", OUTCOME_LAUNCH_ERROR}, /* or it took too long */
        {"ValidationFailed", OUTCOME_WRONG_RESULT},
        {"CompilationFailed", OUTCOME_COMPILE_ERROR},
        {"DeviceLimitsExceeded", OUTCOME_RESOURCES},
    };
    const char *name = json_string_value(json_object_get(entry, "Status"));
    for (size_t i = 0; name && i < sizeof states / sizeof *states; i++) {
        if (strcmp(states[i].name, name) == 0) {
            *outcome = states[i].outcome;
            *message = i > 0 ? name : "";
            return true;
        }
    }
    return error_set(error, ERROR_INPUT, name ? "unknown Status \"%s\"" : "\"Status\" is missing or not a string",
                     name);
}

/* [{"Name": "TILE", "Value": 16}, ...] as {"TILE": 16, ...}: a new reference. NULL: it is not like that. */
static json_t *configuration_of(const json_t *entry, struct error *error)
{
    const json_t *pairs = json_object_get(entry, "Configuration");
    json_t *configuration = json_object();
    bool sound = json_is_array(pairs);
    for (size_t i = 0; configuration && sound && i < json_array_size(pairs); i++) {
        const json_t *pair = json_array_get(pairs, i);
        const char *name = json_string_value(json_object_get(pair, "Name"));
        json_t *value = json_object_get(pair, "Value");
        sound = name && value;
        if (sound && json_object_set(configuration, name, value) != 0) {
            json_decref(configuration);
            configuration = NULL;
        }
    }
    if (configuration && sound)
        return configuration;
    if (!configuration)
        error_out_of_memory(error);
    else
        error_set(error, ERROR_INPUT, "\"Configuration\" is no list of names and values");
    json_decref(configuration);
    return NULL;
}

static double seconds_of(const json_t *entry, const char *name, const struct time_unit *unit)
{
    double seconds = json_number_value(json_object_get(entry, name)) * unit->seconds;
    return seconds > 0 && isfinite(seconds) ? seconds : 0;
}

static bool read_result(const json_t *entry, const struct time_unit *unit, struct recorded_result *result,
                        struct error *error)
{
    *result = (struct recorded_result){
        .compile_seconds = seconds_of(entry, "CompilationOverhead", unit),
        .validate_seconds = seconds_of(entry, "ValidationOverhead", unit),
        .measure_seconds = seconds_of(entry, "TotalDuration", unit),
        .framework_seconds = seconds_of(entry, "DataMovementOverhead", unit) +
                             seconds_of(entry, "ProfilingOverhead", unit) +
                             seconds_of(entry, "SearcherOverhead", unit),
    };
    if (!read_status(entry, &result->outcome, &result->message, error))
        return false;
    if (result->outcome != OUTCOME_OK)
        return true;
    result->time_ns = result->measure_seconds / unit->seconds * unit->nanoseconds;
    return result->time_ns > 0 || error_set(error, ERROR_INPUT, "a result that is Ok needs a \"TotalDuration\"");
}

static bool in_result(const char *path, size_t index, struct error *error)
{
    char text[sizeof error->text];
    snprintf(text, sizeof text, "%s", error->text);
    return error_set(error, error->code, "%s: Results[%zu]: %s", path, index, text);
}

/* The configurations of all results, whose parameters the builder has to know before the first of them. */
static bool read_configurations(const char *path, const json_t *results, struct recording_builder *builder,
                                json_t *configurations, struct error *error)
{
    for (size_t i = 0; i < json_array_size(results); i++) {
        json_t *configuration = configuration_of(json_array_get(results, i), error);
        if (!configuration)
            return in_result(path, i, error);
        if (json_array_append_new(configurations, configuration) != 0)
            return error_out_of_memory(error);
        if (!recording_builder_parameters(builder, configuration, error))
            return false;
    }
    return true;
}

static bool read_head(const json_t *metadata, const json_t *results, struct recording_builder *builder,
                      struct error *error)
{
    struct recording *recording = builder->recording;
    const json_t *first = json_array_get(results, 0);
    return recording_builder_text(builder, json_string_value(json_object_get(first, "KernelName")),
                                  &recording->kernel, error) &&
           recording_builder_text(builder, json_string_value(json_object_get(metadata, "Device")), &recording->device,
                                  error);
}

static bool read_entry(const json_t *entry, const json_t *configuration, const char *timestamp,
                       const struct time_unit *unit, struct recording_builder *builder, struct error *error)
{
    struct recorded_result result;
    return read_result(entry, unit, &result, error) &&
           recording_builder_text(builder, result.message, &result.message, error) &&
           recording_builder_text(builder, timestamp, &result.timestamp, error) &&
           recording_builder_add(builder, configuration, &result, error);
}

bool ktt_read(const char *path, const json_t *document, struct recording_builder *builder, struct error *error)
{
    const json_t *metadata = json_object_get(document, "Metadata"), *results = json_object_get(document, "Results");
    const char *name = json_string_value(json_object_get(metadata, "TimeUnit"));
    const char *timestamp = json_string_value(json_object_get(metadata, "Timestamp"));
    const struct time_unit *unit = time_unit_find(name);
    if (!unit)
        return error_set(error, ERROR_INPUT, "%s: Metadata.TimeUnit \"%s\" is not a unit of time", path,
                         name ? name : "");
    if (!json_is_array(results))
        return error_set(error, ERROR_INPUT, "%s: \"Results\" is not an array", path);
    json_t *configurations = json_array();
    bool done = (configurations || error_out_of_memory(error)) && read_head(metadata, results, builder, error) &&
                read_configurations(path, results, builder, configurations, error);
    for (size_t i = 0; done && i < json_array_size(results); i++)
        done = read_entry(json_array_get(results, i), json_array_get(configurations, i), timestamp, unit, builder,
                          error) ||
               in_result(path, i, error);
    json_decref(configurations);
    return done;
}
