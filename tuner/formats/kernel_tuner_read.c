/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/kernel_tuner_read.h"

#include <math.h>
#include <string.h>

enum { MILLISECOND_NS = 1000000 };

bool kernel_tuner_failure(const char *name, enum outcome *outcome)
{
    static const struct {
        const char *name;
        enum outcome outcome;
    } failures[] = {
        {"InvalidConfig", OUTCOME_RESOURCES}, /* too many threads for the device */
        {"CompilationFailedConfig", OUTCOME_COMPILE_ERROR},
        {"RuntimeFailedConfig", OUTCOME_LAUNCH_ERROR},
        {"ErrorConfig", OUTCOME_LAUNCH_ERROR},
    };
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        if (strcmp(failures[i].name, name) == 0) {
            *outcome = failures[i].outcome;
            return true;
        }
    }
    return false;
}

bool kernel_tuner_is_time(double time)
{
    const double failed = 1e19;
    return time > 0 && time < failed;
}

static double seconds_of(const json_t *entry, const char *name)
{
    double seconds = json_number_value(json_object_get(entry, name)) * 1e-3;
    return seconds > 0 && isfinite(seconds) ? seconds : 0;
}

/* The name of a failure: in "__error__" in newer versions, in place of the time in older ones. */
static const char *failure_of(const json_t *entry)
{
    const char *word = json_string_value(json_object_get(entry, "__error__"));
    return word ? word : json_string_value(json_object_get(entry, "time"));
}

static bool read_outcome(const json_t *entry, struct recorded_result *result, struct error *error)
{
    const char *failure = failure_of(entry);
    if (failure) {
        if (!kernel_tuner_failure(failure, &result->outcome))
            return error_set(error, ERROR_INPUT, "unknown failure \"%s\"", failure);
        return true;
    }
    const json_t *time = json_object_get(entry, "time");
    if (!json_is_number(time))
        return error_set(error, ERROR_INPUT, "it has neither \"time\" nor \"__error__\"");
    double milliseconds = json_number_value(time);
    if (kernel_tuner_is_time(milliseconds))
        result->time_ns = milliseconds * MILLISECOND_NS;
    else
        result->outcome = OUTCOME_LAUNCH_ERROR;
    return true;
}

static bool read_entry(const json_t *entry, struct recording_builder *builder, struct error *error)
{
    struct recorded_result result = {
        .compile_seconds = seconds_of(entry, "compile_time"),
        .validate_seconds = seconds_of(entry, "verification_time"),
        .measure_seconds = seconds_of(entry, "benchmark_time"),
        .framework_seconds = seconds_of(entry, "framework_time"),
    };
    if (!json_is_object(entry))
        return error_set(error, ERROR_INPUT, "it is not an object");
    return read_outcome(entry, &result, error) &&
           recording_builder_text(builder, failure_of(entry), &result.message, error) &&
           recording_builder_text(builder, json_string_value(json_object_get(entry, "timestamp")), &result.timestamp,
                                  error) &&
           recording_builder_samples(builder, json_object_get(entry, "times"), MILLISECOND_NS, &result, error) &&
           recording_builder_add(builder, entry, &result, error);
}

/* Kernel Tuner's problem size: a number, a list of numbers, or a string. */
static bool read_size(const json_t *size, struct recording_builder *builder, struct error *error)
{
    if (json_is_string(size))
        return recording_builder_text(builder, json_string_value(size), &builder->recording->size, error);
    char text[256] = "";
    size_t count = json_is_array(size) ? json_array_size(size) : json_is_integer(size) ? 1 : 0;
    for (size_t i = 0, length = 0; i < count && length < sizeof text; i++) {
        const json_t *extent = json_is_array(size) ? json_array_get(size, i) : size;
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%lld", i ? "x" : "",
                                   (long long)json_integer_value(extent));
    }
    return recording_builder_text(builder, text, &builder->recording->size, error);
}

static bool read_head(const char *path, const json_t *document, struct recording_builder *builder,
                      struct error *error)
{
    struct recording *recording = builder->recording;
    if (!recording_builder_text(builder, json_string_value(json_object_get(document, "kernel_name")),
                                &recording->kernel, error) ||
        !recording_builder_text(builder, json_string_value(json_object_get(document, "device_name")),
                                &recording->device, error) ||
        !read_size(json_object_get(document, "problem_size"), builder, error))
        return false;
    const json_t *keys = json_object_get(document, "tune_params_keys");
    if (!json_is_array(keys))
        return error_set(error, ERROR_INPUT, "%s: \"tune_params_keys\" is not an array", path);
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const char *name = json_string_value(json_array_get(keys, i));
        if (!name)
            return error_set(error, ERROR_INPUT, "%s: tune_params_keys[%zu] is not a string", path, i);
        if (!recording_builder_parameter(builder, name, error))
            return false;
    }
    return true;
}

bool kernel_tuner_read(const char *path, const json_t *document, struct recording_builder *builder,
                       struct error *error)
{
    const json_t *cache = json_object_get(document, "cache");
    if (!json_is_object(cache))
        return error_set(error, ERROR_INPUT, "%s: \"cache\" is not an object", path);
    if (!read_head(path, document, builder, error))
        return false;
    const char *key;
    json_t *entry;
    json_object_foreach((json_t *)cache, key, entry)
    {
        struct error inner;
        if (!read_entry(entry, builder, &inner))
            return error_set(error, inner.code, "%s: cache[\"%s\"]: %s", path, key, inner.text);
    }
    return true;
}
