/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/recording_builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    VALUES_MOST = 65535,    /* of a parameter */
    PARAMETERS_MOST = 1000, /* each row has a place for each */
};

/* What a number of value_lookup stands for. */
struct value_place {
    size_t parameter, value;
};

bool recording_builder_create(struct recording_builder *builder, const char *name, struct error *error)
{
    *builder = (struct recording_builder){.recording = calloc(1, sizeof *builder->recording)};
    if (!builder->recording)
        return error_out_of_memory(error);
    struct recording *recording = builder->recording;
    recording->kernel = recording->device = recording->size = "";
    recording->definitions = recording->objective = "";
    return recording_builder_text(builder, name, &recording->name, error);
}

void recording_builder_clear(struct recording_builder *builder)
{
    recording_free(builder->recording);
    lookup_free(&builder->value_lookup);
    lookup_free(&builder->row_lookup);
    *builder = (struct recording_builder){0};
}

bool recording_builder_text(struct recording_builder *builder, const char *text, const char **copy,
                            struct error *error)
{
    if (!text || !*text) {
        *copy = "";
        return true;
    }
    *copy = arena_string(&builder->recording->arena, text, strlen(text));
    return *copy || error_out_of_memory(error);
}

bool recording_builder_samples(struct recording_builder *builder, const json_t *array, double scale,
                               struct recorded_result *result, struct error *error)
{
    size_t count = json_array_size(array);
    if (count == 0)
        return true;
    double *samples = arena_allocate(&builder->recording->arena, count * sizeof *samples);
    if (!samples)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        const json_t *sample = json_array_get(array, i);
        if (!json_is_number(sample))
            return error_set(error, ERROR_INPUT, "sample %zu is not a number", i + 1);
        samples[i] = json_number_value(sample) * scale;
        if (!isfinite(samples[i]))
            return error_set(error, ERROR_INPUT, "sample %zu is too large for a time", i + 1);
    }
    result->samples_ns = samples;
    result->sample_count = count;
    return true;
}

bool recording_builder_parameter(struct recording_builder *builder, const char *name, struct error *error)
{
    const struct dimension *known = builder->parameters.items;
    for (size_t i = 0; i < builder->parameters.count; i++) {
        if (strcmp(known[i].name, name) == 0)
            return true;
    }
    if (builder->parameters.count == PARAMETERS_MOST)
        return error_set(error, ERROR_INPUT, "recording %s has more than %d parameters", builder->recording->name,
                         PARAMETERS_MOST);
    struct dimension *added = list_append(&builder->parameters, &builder->recording->arena, sizeof *added);
    if (!added)
        return error_out_of_memory(error);
    return recording_builder_text(builder, name, &added->name, error);
}

bool recording_builder_parameters(struct recording_builder *builder, const json_t *configuration, struct error *error)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)configuration, name, value)
    {
        if (!recording_builder_parameter(builder, name, error))
            return false;
    }
    return true;
}

static bool json_to_value(const json_t *json, struct value *value)
{
    switch (json ? json_typeof(json) : JSON_NULL) {
    case JSON_INTEGER:
        *value = value_integer(json_integer_value(json));
        return true;
    case JSON_REAL:
        *value = value_float(json_real_value(json));
        return true;
    case JSON_TRUE:
    case JSON_FALSE:
        *value = value_boolean(json_is_true(json));
        return true;
    case JSON_STRING:
        *value = value_string(json_string_value(json));
        return true;
    case JSON_NULL:
        *value = (struct value){.kind = VALUE_UNSET};
        return true;
    default:
        return false;
    }
}

/* Equal values have equal hashes, whatever their type: 1, 1.0 and true are equal. */
static uint64_t hash_value(size_t parameter, struct value value)
{
    if (value.kind == VALUE_STRING)
        return XXH3_64bits_withSeed(value.string, strlen(value.string), parameter);
    double number = value.kind == VALUE_FLOAT     ? value.real
                    : value.kind == VALUE_INTEGER ? (double)value.integer
                    : value.kind == VALUE_BOOLEAN ? (double)value.boolean
                                                  : -1;
    number += 0.0; /* -0 becomes 0 */
    return XXH3_64bits_withSeed(&number, sizeof number, parameter);
}

struct value_wanted {
    const struct recording_builder *builder;
    size_t parameter;
    struct value value;
};

static bool is_wanted_value(const void *context, size_t number)
{
    const struct value_wanted *wanted = context;
    const struct value_place *places = wanted->builder->value_places.items;
    const struct value_place *place = &places[number];
    if (place->parameter != wanted->parameter)
        return false;
    const struct value *values = wanted->builder->values[place->parameter].items;
    const struct value *value = &values[place->value];
    return (value->kind == VALUE_UNSET && wanted->value.kind == VALUE_UNSET) || value_equal(*value, wanted->value);
}

/* The index of a value among those of its parameter, added if it is new. */
static bool place_value(struct recording_builder *builder, size_t parameter, struct value value, uint16_t *index,
                        struct error *error)
{
    struct value_wanted wanted = {builder, parameter, value};
    size_t number;
    bool added;
    if (!lookup_number(&builder->value_lookup, hash_value(parameter, value), is_wanted_value, &wanted, &number,
                       &added))
        return error_out_of_memory(error);
    if (added) {
        struct arena *arena = &builder->recording->arena;
        struct list *values = &builder->values[parameter];
        struct value_place *place = list_append(&builder->value_places, arena, sizeof *place);
        struct value *kept = list_append(values, arena, sizeof *kept);
        if (!place || !kept)
            return error_out_of_memory(error);
        if (values->count > VALUES_MOST)
            return error_set(error, ERROR_INPUT, "parameter %s has more than %d values",
                             ((struct dimension *)builder->parameters.items)[parameter].name, VALUES_MOST);
        *place = (struct value_place){parameter, values->count - 1};
        *kept = value;
        if (value.kind == VALUE_STRING && !recording_builder_text(builder, value.string, &kept->string, error))
            return false;
    }
    *index = (uint16_t)((struct value_place *)builder->value_places.items)[number].value;
    return true;
}

static bool ensure_room(struct recording_builder *builder, struct error *error)
{
    enum { FIRST = 1024 };
    struct recording *recording = builder->recording;
    if (!builder->values) {
        recording->parameter_count = builder->parameters.count;
        builder->values =
            arena_allocate(&recording->arena, (recording->parameter_count + 1) * sizeof *builder->values);
        if (!builder->values)
            return error_out_of_memory(error);
    }
    if (recording->count < builder->capacity)
        return true;
    size_t capacity = builder->capacity ? 2 * builder->capacity : FIRST;
    uint16_t *rows = realloc(recording->rows, capacity * recording->parameter_count * sizeof *rows + 1);
    if (!rows)
        return error_out_of_memory(error);
    recording->rows = rows;
    struct recorded_result *results = realloc(recording->results, capacity * sizeof *results);
    if (!results)
        return error_out_of_memory(error);
    recording->results = results;
    builder->capacity = capacity;
    return true;
}

struct row_wanted {
    const struct recording *recording;
    const uint16_t *row;
};

static bool is_wanted_row(const void *context, size_t number)
{
    const struct row_wanted *wanted = context;
    size_t count = wanted->recording->parameter_count;
    return memcmp(wanted->recording->rows + number * count, wanted->row, count * sizeof *wanted->row) == 0;
}

/* Sums of such times are finite, and so is what is computed from them. */
static bool check_times(const struct recorded_result *result, struct error *error)
{
    const double longest = 1e12; /* seconds: some 30,000 years */
    const struct {
        const char *name;
        double seconds;
    } times[] = {
        {"time", result->time_ns * 1e-9},         {"compilation", result->compile_seconds},
        {"validation", result->validate_seconds}, {"measuring", result->measure_seconds},
        {"framework", result->framework_seconds},
    };
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (!(times[i].seconds <= longest))
            return error_set(error, ERROR_INPUT, "its %s of %g s is more than %g s", times[i].name, times[i].seconds,
                             longest);
    }
    return true;
}

bool recording_builder_add(struct recording_builder *builder, const json_t *configuration,
                           const struct recorded_result *result, struct error *error)
{
    if (!check_times(result, error) || !ensure_room(builder, error))
        return false;
    struct recording *recording = builder->recording;
    const struct dimension *parameters = builder->parameters.items;
    size_t count = recording->parameter_count;
    uint16_t *row = recording->rows + recording->count * count;
    for (size_t i = 0; i < count; i++) {
        struct value value;
        if (!json_to_value(json_object_get(configuration, parameters[i].name), &value))
            return error_set(error, ERROR_INPUT, "parameter %s is not a number, string or boolean",
                             parameters[i].name);
        if (!place_value(builder, i, value, &row[i], error))
            return false;
    }
    struct row_wanted wanted = {recording, row};
    size_t number;
    bool added;
    if (!lookup_number(&builder->row_lookup, XXH3_64bits(row, count * sizeof *row), is_wanted_row, &wanted, &number,
                       &added))
        return error_out_of_memory(error);
    recording->results[number] = *result;
    recording->count += added;
    return true;
}

static bool is_value(struct value a, struct value b)
{
    return a.kind == VALUE_UNSET || b.kind == VALUE_UNSET ? a.kind == b.kind : value_equal(a, b);
}

/* Has the entry all of the configuration's values, and no others? */
static bool is_entry(const struct recording_builder *builder, size_t number, const json_t *configuration)
{
    const struct recording *recording = builder->recording;
    const struct dimension *parameters = builder->parameters.items;
    const uint16_t *row = recording->rows + number * recording->parameter_count;
    size_t members = 0;
    for (size_t i = 0; i < recording->parameter_count; i++) {
        const json_t *member = json_object_get(configuration, parameters[i].name);
        const struct value *values = builder->values[i].items;
        struct value value;
        if (!json_to_value(member, &value) || !is_value(values[row[i]], value))
            return false;
        members += member != NULL;
    }
    return members == json_object_size(configuration);
}

void recording_builder_default(struct recording_builder *builder, const json_t *configuration)
{
    struct recording *recording = builder->recording;
    recording->has_default = false;
    for (size_t i = 0; json_is_object(configuration) && i < recording->count && !recording->has_default; i++) {
        recording->has_default = is_entry(builder, i, configuration);
        recording->default_index = i;
    }
}

bool recording_builder_finish(struct recording_builder *builder, struct recording **result, struct error *error)
{
    struct recording *recording = builder->recording;
    if (recording->count == 0)
        return error_set(error, ERROR_INPUT, "recording %s has no results", recording->name);
    recording->parameters = builder->parameters.items;
    for (size_t i = 0; i < recording->parameter_count; i++) {
        recording->parameters[i].values = builder->values[i].items;
        recording->parameters[i].count = builder->values[i].count;
    }
    *result = recording;
    builder->recording = NULL;
    return true;
}
