/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/recording_store.h"

#include "tuner/formats/timestamp.h"
#include "tuner/json/json_text.h"
#include "tuner/space/value_json.h"

#include <jansson.h>
#include <stdlib.h>

/* What the current row points to. */
struct storing {
    const struct recording *recording;
    const char *path;
    char *configuration;
    char measured_at[TIMESTAMP_TEXT];
};

/* Like problem_configuration_text: compact, in the order of the parameters. */
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
        return error_set(error, ERROR_INPUT, "%s: invalid timestamp \"%.100s\"", storing->path, result->timestamp);
    *row = (struct store_import_row){
        .configuration = storing->configuration,
        .measured_at = *result->timestamp ? storing->measured_at : NULL,
        .evaluation =
            {
                .outcome = result->outcome,
                .message = (char *)(uintptr_t)result->message, /* not modified */
                .time_ns = result->time_ns,
                .samples_ns = (double *)(uintptr_t)result->samples_ns,
                .sample_count = result->sample_count,
                .error_ratio = -1,
                .throttled = -1,
                .energy_j = result->energy_j > 0 ? result->energy_j : -1,
                .metrics = (char *)(uintptr_t)result->metrics,
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
    struct store_import import = {
        .kernel = kernel,
        .path = path,
        .device_name = device,
        .size = recording->size,
        .definitions = recording->definitions,
        .objective = recording->objective,
    };
    struct storing storing = {.recording = recording, .path = path};
    bool done = store_import(store, &import, recording->count, read_row, &storing, error);
    free(storing.configuration);
    return done;
}
