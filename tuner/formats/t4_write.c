/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t4_write.h"

#include "tuner/error/visible.h"
#include "tuner/formats/timestamp.h"
#include "tuner/json/json_text.h"
#include "tuner/lang/value.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_TEXT = 64 };

static const double ms_of_ns = 1e6, ms_of_s = 1e3;

struct kind {
    const char *invalidity;
    const char *failure; /* Kernel Tuner's name for it, in place of a time */
};

static const struct kind kinds[OUTCOME_COUNT] = {
    [OUTCOME_OK] = {"correct", NULL},
    [OUTCOME_HOST_ERROR] = {"constraints", "InvalidConfig"},
    [OUTCOME_COMPILE_ERROR] = {"compile", "CompilationFailedConfig"},
    [OUTCOME_COMPILE_CRASH] = {"compile", "CompilationFailedConfig"},
    [OUTCOME_COMPILE_TIMEOUT] = {"timeout", "CompilationFailedConfig"},
    [OUTCOME_RESOURCES] = {"constraints", "InvalidConfig"},
    [OUTCOME_MEMORY] = {"constraints", "InvalidConfig"},
    [OUTCOME_LAUNCH_ERROR] = {"runtime", "RuntimeFailedConfig"},
    [OUTCOME_FAULT] = {"runtime", "RuntimeFailedConfig"},
    [OUTCOME_WRONG_RESULT] = {"correctness", "ErrorConfig"},
    [OUTCOME_NOT_FINITE] = {"correctness", "ErrorConfig"},
    [OUTCOME_OUT_OF_BOUNDS] = {"correctness", "ErrorConfig"},
    [OUTCOME_TIMEOUT] = {"timeout", "RuntimeFailedConfig"},
    [OUTCOME_CRASH] = {"runtime", "RuntimeFailedConfig"},
    [OUTCOME_LIMIT] = {"constraints", "InvalidConfig"},
};

static bool write_text(FILE *out, const char *text, struct error *error)
{
    json_t *json = json_string_of_bytes(text);
    char *quoted = json ? json_print(json, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        visible_write_json(out, quoted);
    bool done = quoted || error_out_of_memory(error);
    free(quoted);
    json_decref(json);
    return done;
}

/* JSON has no infinity, and a time that is not known is 0. */
static void write_number(FILE *out, double number)
{
    char text[NUMBER_TEXT];
    value_text(value_float(isfinite(number) ? number : 0), text, sizeof text);
    fputs(text, out);
}

static void write_time(FILE *out, const char *name, double seconds)
{
    fprintf(out, "\"%s\": ", name);
    write_number(out, seconds * ms_of_s);
}

/* Samples that are null were not finite: they are left out. */
static bool write_samples(FILE *out, const struct store_recorded_row *row, struct error *error)
{
    json_t *samples;
    if (!json_try(row->samples_ns, 0, &samples, error))
        return false;
    if (!json_is_array(samples)) {
        json_decref(samples);
        return error_set(error, ERROR_SYSTEM, "the samples of %.100s are damaged in the database",
                         row->configuration);
    }
    if (json_array_size(samples) > 0) {
        const char *comma = "";
        fputs(",\n        \"runtimes\": [", out);
        for (size_t i = 0; i < json_array_size(samples); i++) {
            if (!json_is_number(json_array_get(samples, i)))
                continue;
            fputs(comma, out);
            write_number(out, json_number_value(json_array_get(samples, i)) / ms_of_ns);
            comma = ", ";
        }
        fputs("]", out);
    }
    json_decref(samples);
    return true;
}

static bool write_times(FILE *out, const struct store_recorded_row *row, struct error *error)
{
    fputs("      \"times\": {\n        ", out);
    write_time(out, "compilation", row->compile_seconds);
    fputs(",\n        ", out);
    write_time(out, "benchmark", row->measure_seconds);
    fputs(",\n        ", out);
    write_time(out, "framework", row->framework_seconds);
    fputs(",\n        \"search_algorithm\": 0,\n        ", out);
    write_time(out, "validation", row->validate_seconds);
    if (!write_samples(out, row, error))
        return false;
    fputs("\n      },\n", out);
    return true;
}

static bool write_measurement(FILE *out, const char *name, double value, const char *unit, struct error *error)
{
    fputs(",\n        {\"name\": ", out);
    bool done = write_text(out, name, error);
    fputs(", \"value\": ", out);
    write_number(out, value);
    fprintf(out, ", \"unit\": \"%s\"}", unit);
    return done;
}

/* Metrics that are undefined are left out; their names say what they are. */
static bool write_metrics(FILE *out, const struct store_recorded_row *row, struct error *error)
{
    json_t *metrics, *value;
    const char *name;
    if (!json_try(row->metrics ? row->metrics : "", 0, &metrics, error))
        return false;
    bool done = row->energy_j <= 0 || write_measurement(out, "energy", row->energy_j, "J", error);
    json_object_foreach(metrics, name, value)
    {
        if (done && json_is_number(value) && isfinite(json_number_value(value)))
            done = write_measurement(out, name, json_number_value(value), "", error);
    }
    json_decref(metrics);
    return done;
}

static bool write_measurements(FILE *out, const struct store_recorded_row *row, struct error *error)
{
    bool done = true;
    fputs("      \"measurements\": [{\"name\": \"time\", \"value\": ", out);
    if (row->outcome == OUTCOME_OK)
        write_number(out, row->time_ns / ms_of_ns);
    else
        fprintf(out, "\"%s\"", kinds[row->outcome].failure);
    fputs(", \"unit\": \"ms\"}", out);
    if (row->outcome == OUTCOME_OK)
        done = write_metrics(out, row, error);
    fputs("],\n      \"objectives\": [", out);
    done = done && write_text(out, row->objective && row->objective[0] ? row->objective : "time", error);
    fputs("]\n", out);
    return done;
}

/* A member of the metadata, unless the text is no JSON object. */
static bool write_object(FILE *out, const char *name, const char *text, struct error *error)
{
    json_t *object;
    if (!json_try(text, 0, &object, error))
        return false;
    char *printed = json_is_object(object) ? json_print(object, JSON_COMPACT) : NULL;
    bool done = printed || !json_is_object(object) || error_out_of_memory(error);
    if (printed) {
        fprintf(out, ", \"%s\": ", name);
        visible_write_json(out, printed);
    }
    free(printed);
    json_decref(object);
    return done;
}

bool t4_begin(FILE *out, const struct store_recorded_row *any, struct error *error)
{
    fputs("{\n  \"metadata\": {\"timeunit\": \"miliseconds\", \"device\": ", out);
    bool done = write_text(out, any->device_name, error) &&
                write_object(out, "metrics", any->definitions ? any->definitions : "", error) &&
                write_object(out, "default", any->default_configuration ? any->default_configuration : "", error);
    fputs("},\n  \"results\": [", out);
    return done;
}

bool t4_row(FILE *out, const struct store_recorded_row *row, bool first, struct error *error)
{
    char timestamp[TIMESTAMP_TEXT];
    timestamp_from_utc(row->measured_at, timestamp);
    fprintf(out, "%s    {\n      \"timestamp\": ", first ? "\n" : ",\n");
    if (!write_text(out, timestamp, error))
        return false;
    fputs(",\n      \"configuration\": ", out);
    visible_write_json(out, row->configuration);
    fputs(",\n", out);
    if (!write_times(out, row, error))
        return false;
    fprintf(out, "      \"invalidity\": \"%s\",\n      \"correctness\": %d,\n", kinds[row->outcome].invalidity,
            row->outcome == OUTCOME_OK);
    bool done = write_measurements(out, row, error);
    fputs("    }", out);
    return done;
}

void t4_end(FILE *out)
{
    fputs("\n  ],\n  \"schema_version\": \"1.0.0\"\n}\n", out);
}
