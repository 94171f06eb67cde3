/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t4_read.h"

#include "tuner/formats/kernel_tuner_read.h"
#include "tuner/formats/t4_measurements.h"
#include "tuner/formats/time_unit.h"

#include <math.h>
#include <string.h>

static bool read_unit(const json_t *document, const struct time_unit **unit, struct error *error)
{
    const char *name = json_string_value(json_object_get(json_object_get(document, "metadata"), "timeunit"));
    if (!name)
        name = "milliseconds";
    *unit = time_unit_find(name);
    if (*unit)
        return true;
    error_set(error, ERROR_INPUT, "metadata.timeunit \"%s\" is not a unit of time", name);
    return error_hint(error, "use \"milliseconds\", \"microseconds\", \"nanoseconds\" or \"seconds\"");
}

struct validity {
    const char *name;
    enum outcome outcome;
};

static const struct validity validities[] = {
    {"correct", OUTCOME_OK},           {"compile", OUTCOME_COMPILE_ERROR},    {"runtime", OUTCOME_LAUNCH_ERROR},
    {"timeout", OUTCOME_TIMEOUT},      {"correctness", OUTCOME_WRONG_RESULT}, {"constraints", OUTCOME_RESOURCES},
    {"constraint", OUTCOME_RESOURCES},
};

static bool read_validity(const json_t *entry, enum outcome *outcome, struct error *error)
{
    const char *name = json_string_value(json_object_get(entry, "invalidity"));
    if (!name)
        return error_set(error, ERROR_INPUT, "\"invalidity\" is missing or not a string");
    for (size_t i = 0; i < sizeof validities / sizeof *validities; i++) {
        if (strcmp(validities[i].name, name) == 0) {
            *outcome = validities[i].outcome;
            return true;
        }
    }
    error_set(error, ERROR_INPUT, "unknown invalidity \"%s\"", name);
    return error_hint(error, "expected \"correct\", \"compile\", \"runtime\", \"timeout\", \"correctness\" or "
                             "\"constraints\"");
}

/* The unit of an entry's times: the file's, or where that says nothing the one beside the time itself, as in what
 * KTT's script converts. */
static const struct time_unit *unit_of(const json_t *entry, const struct time_unit *whole, bool said)
{
    const struct time_unit *own = time_unit_find(json_string_value(json_object_get(t4_time(entry), "unit")));
    return own && !said ? own : whole;
}

static double seconds_of(const json_t *times, const char *name, const struct time_unit *unit)
{
    double seconds = json_number_value(json_object_get(times, name)) * unit->seconds;
    return seconds > 0 && isfinite(seconds) ? seconds : 0;
}

static double measuring_seconds(const json_t *times, const struct time_unit *unit)
{
    if (json_object_get(times, "benchmark"))
        return seconds_of(times, "benchmark", unit);
    double sum = 0;
    const json_t *runtimes = json_object_get(times, "runtimes");
    for (size_t i = 0; i < json_array_size(runtimes); i++)
        sum += json_number_value(json_array_get(runtimes, i)) * unit->seconds;
    return sum > 0 && isfinite(sum) ? sum : 0;
}

/* A time, or the name of a failure in its place. */
static bool read_time(const json_t *value, const struct time_unit *unit, struct recorded_result *result,
                      struct error *error)
{
    if (result->outcome != OUTCOME_OK)
        return true;
    if (json_is_string(value) && kernel_tuner_failure(json_string_value(value), &result->outcome))
        return true;
    if (!json_is_number(value))
        return error_set(error, ERROR_INPUT, "a correct result needs a measurement \"time\" that is a number");
    double time = json_number_value(value);
    if (kernel_tuner_is_time(time))
        result->time_ns = time * unit->nanoseconds;
    else
        result->outcome = OUTCOME_LAUNCH_ERROR;
    return true;
}

static bool read_entry(const json_t *entry, const struct time_unit *unit, struct t4_measurements *measurements,
                       struct recording_builder *builder, struct error *error)
{
    const json_t *configuration = json_object_get(entry, "configuration");
    if (!json_is_object(configuration))
        return error_set(error, ERROR_INPUT, "\"configuration\" is missing or not an object");
    const json_t *times = json_object_get(entry, "times"), *time = json_object_get(t4_time(entry), "value");
    struct recorded_result result = {
        .compile_seconds = fmax(seconds_of(times, "compilation", unit), seconds_of(times, "compilation_time", unit)),
        .validate_seconds = seconds_of(times, "validation", unit),
        .measure_seconds = measuring_seconds(times, unit),
        .framework_seconds = seconds_of(times, "framework", unit),
    };
    if (!read_validity(entry, &result.outcome, error) || !read_time(time, unit, &result, error))
        return false;
    const char *message = result.outcome != OUTCOME_OK ? json_string_value(time) : NULL;
    return t4_measurements_read(measurements, entry, builder, &result, error) &&
           recording_builder_text(builder, message, &result.message, error) &&
           recording_builder_text(builder, json_string_value(json_object_get(entry, "timestamp")), &result.timestamp,
                                  error) &&
           recording_builder_samples(builder, json_object_get(times, "runtimes"), unit->nanoseconds, &result,
                                     error) &&
           recording_builder_add(builder, configuration, &result, error);
}

static bool in_entry(const char *path, size_t index, struct error *error)
{
    char text[sizeof error->text];
    snprintf(text, sizeof text, "%s", error->text);
    char hint[sizeof error->hint];
    snprintf(hint, sizeof hint, "%s", error->hint);
    error_set(error, error->code, "%s: results[%zu]: %s", path, index, text);
    return *hint ? error_hint(error, "%s", hint) : false;
}

bool t4_read(const char *path, const json_t *document, struct recording_builder *builder, struct error *error)
{
    const struct time_unit *unit;
    const json_t *results = json_object_get(document, "results");
    if (!json_is_array(results))
        return error_set(error, ERROR_INPUT, "%s: \"results\" is not an array", path);
    const json_t *metadata = json_object_get(document, "metadata");
    const char *device = json_string_value(json_object_get(metadata, "device"));
    bool said = json_object_get(metadata, "timeunit");
    if (!read_unit(document, &unit, error) ||
        !recording_builder_text(builder, device, &builder->recording->device, error))
        return false;
    for (size_t i = 0; i < json_array_size(results); i++) {
        if (!recording_builder_parameters(builder, json_object_get(json_array_get(results, i), "configuration"),
                                          error))
            return false;
    }
    struct t4_measurements measurements = {0};
    bool done = t4_measurements_begin(&measurements, document, error);
    for (size_t i = 0; done && i < json_array_size(results); i++) {
        const json_t *entry = json_array_get(results, i);
        done =
            read_entry(entry, unit_of(entry, unit, said), &measurements, builder, error) || in_entry(path, i, error);
    }
    done = done && t4_measurements_end(&measurements, builder, error);
    if (done)
        recording_builder_default(builder, json_object_get(metadata, "default"));
    t4_measurements_clear(&measurements);
    return done;
}
