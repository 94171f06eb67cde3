/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/recording_store.h"
#include "tuner/formats/value_json.h"

#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* +01:00, -0530, Z or nothing, in seconds. */
static bool read_zone(const char *text, long *seconds)
{
    int hours = 0, minutes = 0, used = 0;
    *seconds = 0;
    if (!*text || strcmp(text, "Z") == 0)
        return true;
    if ((*text != '+' && *text != '-') ||
        (sscanf(text + 1, "%2d:%2d%n", &hours, &minutes, &used) < 2 &&
         sscanf(text + 1, "%2d%2d%n", &hours, &minutes, &used) < 2) ||
        text[1 + used])
        return false;
    *seconds = (hours * 3600L + minutes * 60L) * (*text == '-' ? -1 : 1);
    return true;
}

bool timestamp_to_utc(const char *text, char utc[TIMESTAMP_TEXT])
{
    struct tm moment = {0};
    char fraction[16] = "";
    long zone;
    const char *rest = strptime(text, "%Y-%m-%d", &moment);
    if (!rest || (*rest != ' ' && *rest != 'T'))
        return false;
    rest = strptime(rest + 1, "%H:%M:%S", &moment);
    if (!rest)
        return false;
    size_t digits = *rest == '.' ? 1 + strspn(rest + 1, "0123456789") : 0;
    if (digits >= sizeof fraction || !read_zone(rest + digits, &zone))
        return false;
    memcpy(fraction, rest, digits);
    time_t seconds = timegm(&moment) - zone;
    if (!gmtime_r(&seconds, &moment))
        return false;
    char date[24];
    if (strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &moment) == 0)
        return false;
    snprintf(utc, TIMESTAMP_TEXT, "%s%sZ", date, fraction);
    return true;
}

void timestamp_from_utc(const char *utc, char text[TIMESTAMP_TEXT])
{
    size_t length = strlen(utc);
    bool plain = length > 11 && length < TIMESTAMP_TEXT - 6 && utc[10] == 'T' && utc[length - 1] == 'Z';
    if (plain)
        snprintf(text, TIMESTAMP_TEXT, "%.10s %.*s+00:00", utc, (int)(length - 12), utc + 11);
    else
        snprintf(text, TIMESTAMP_TEXT, "%s", utc);
}

/* What a row refers to, until the next one. */
struct storing {
    const struct recording *recording;
    const char *path;
    char *configuration;
    char measured_at[TIMESTAMP_TEXT];
};

/* As problem_configuration_text writes it: compact, in the order of the parameters. */
static char *configuration_text(const struct recording *recording, size_t index)
{
    const uint16_t *row = recording->rows + index * recording->parameter_count;
    json_t *object = json_object();
    bool done = object != NULL;
    for (size_t i = 0; done && i < recording->parameter_count; i++) {
        const struct dimension *parameter = &recording->parameters[i];
        struct value value = parameter->values[row[i]];
        if (value.kind != VALUE_UNSET)
            done = json_object_set_new(object, parameter->name, value_json(value)) == 0;
    }
    char *text = done ? json_text(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

static bool read_row(size_t index, struct store_import_row *row, void *context, struct error *error)
{
    struct storing *storing = context;
    const struct recorded_result *result = &storing->recording->results[index];
    free(storing->configuration);
    storing->configuration = configuration_text(storing->recording, index);
    if (!storing->configuration)
        return error_out_of_memory(error);
    if (*result->timestamp && !timestamp_to_utc(result->timestamp, storing->measured_at))
        return error_set(error, ERROR_INPUT, "%s: the timestamp \"%.100s\" is none", storing->path,
                         result->timestamp);
    *row = (struct store_import_row){
        .configuration = storing->configuration,
        .measured_at = *result->timestamp ? storing->measured_at : NULL,
        .evaluation =
            {
                .outcome = result->outcome,
                .message = (char *)(uintptr_t)result->message, /* only read */
                .time_ns = result->time_ns,
                .samples_ns = (double *)(uintptr_t)result->samples_ns,
                .sample_count = result->sample_count,
                .error_ratio = -1,
                .throttled = -1,
                .energy_j = -1,
                .energy_error_j = -1,
                .resources = {-1, -1, -1, -1, -1},
                .spill_bytes = -1,
                .state = {-1, -1, -1, -1, -1},
                .compile_seconds = result->compile_seconds,
                .validate_seconds = result->validate_seconds,
                .measure_seconds = result->measure_seconds,
                .framework_seconds = result->framework_seconds,
            },
    };
    return true;
}

bool recording_store(struct store *store, const struct recording *recording, const char *path, const char *kernel,
                     const char *device, struct error *error)
{
    struct store_import import = {.kernel = kernel, .path = path, .device_name = device, .size = recording->size};
    struct storing storing = {.recording = recording, .path = path};
    bool done = store_import(store, &import, recording->count, read_row, &storing, error);
    free(storing.configuration);
    return done;
}
