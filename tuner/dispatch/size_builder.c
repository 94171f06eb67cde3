/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/dispatch/size_builder.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

bool size_builder_begin(struct size_builder *builder, const struct template *template,
                        const struct device_description *device, struct size_set *set, struct error *error)
{
    *builder = (struct size_builder){.template = template, .device = device, .set = set};
    *set = (struct size_set){.dimensions = template->size_count};
    for (size_t i = 0; i < SIZES_COUNT; i++) {
        builder->rows[i] = calloc(template->size_count + 1, sizeof *builder->rows[i]);
        if (!builder->rows[i])
            return error_out_of_memory(error);
    }
    return true;
}

void size_builder_end(struct size_builder *builder)
{
    for (size_t i = 0; i < SIZES_COUNT; i++)
        free(builder->rows[i]);
    index_map_clear(&builder->places);
}

static bool grow(struct size_builder *builder)
{
    struct size_set *set = builder->set;
    size_t capacity = builder->capacity ? 2 * builder->capacity : 16;
    struct size_setting *values = realloc(set->values, capacity * (set->dimensions + 1) * sizeof *values);
    set->values = values ? values : set->values;
    double *weights = realloc(set->weights, capacity * sizeof *weights);
    set->weights = weights ? weights : set->weights;
    char **texts = realloc(set->texts, capacity * sizeof *texts);
    set->texts = texts ? texts : set->texts;
    if (!values || !weights || !texts)
        return false;
    builder->capacity = capacity;
    return true;
}

/* The place of a text in the set, else the key for it: texts with equal hashes, if there ever are any, have keys one
 * behind the other. */
static bool find(const struct size_builder *builder, const char *text, size_t *place, size_t *key)
{
    *key = (size_t)(XXH3_64bits(text, strlen(text)) >> 1);
    for (; index_map_get(&builder->places, *key, place); ++*key) {
        if (strcmp(builder->set->texts[*place], text) == 0)
            return true;
    }
    return false;
}

/* The text becomes the set's. */
static bool append(struct size_builder *builder, char *text, size_t key, double weight)
{
    struct size_set *set = builder->set;
    if ((set->count == builder->capacity && !grow(builder)) || !index_map_put(&builder->places, key, set->count)) {
        free(text);
        return false;
    }
    memcpy(&set->values[set->count * set->dimensions], builder->rows[SIZES_TUNED],
           set->dimensions * sizeof *set->values);
    builder->last = set->count;
    set->weights[set->count] = weight;
    set->texts[set->count++] = text;
    return true;
}

bool size_builder_add(struct size_builder *builder, const struct size_setting *settings, size_t count, double weight,
                      struct error *error)
{
    struct size_set *set = builder->set;
    const struct given_sizes given = {.settings = settings, .count = count};
    size_t place, key;
    if (!sizes_evaluate(builder->template, builder->device, &given, builder->rows, error))
        return false;
    char *text = sizes_text(builder->rows[SIZES_TUNED], set->dimensions);
    if (!text)
        return error_out_of_memory(error);
    if (find(builder, text, &place, &key)) {
        builder->last = place;
        set->weights[place] += weight;
        free(text);
        return true;
    }
    if (set->count == SIZE_SET_MOST) {
        free(text);
        return error_set(error, ERROR_INPUT, "there are more than %d sizes", SIZE_SET_MOST);
    }
    return append(builder, text, key, weight) || error_out_of_memory(error);
}

bool size_builder_try(struct size_builder *builder, const struct size_setting *settings, size_t count, double weight,
                      bool *added, struct error *why, struct error *error)
{
    const struct given_sizes given = {.settings = settings, .count = count};
    size_t place, key;
    *added = false;
    *why = (struct error){0};
    if (!sizes_evaluate(builder->template, builder->device, &given, builder->rows, why)) {
        if (why->code == ERROR_INPUT)
            return true;
        *error = *why;
        return false;
    }
    char *text = sizes_text(builder->rows[SIZES_TUNED], builder->set->dimensions);
    if (!text)
        return error_out_of_memory(error);
    if (find(builder, text, &place, &key)) {
        free(text);
        return true;
    }
    *added = true;
    return append(builder, text, key, weight) || error_out_of_memory(error);
}

bool size_builder_add_data(struct size_builder *builder, const char *buffer, const char *file)
{
    struct size_set *set = builder->set;
    if (set->data_count == builder->data_capacity) {
        const size_t capacity = builder->data_capacity ? 2 * builder->data_capacity : 16;
        struct size_data *data = realloc(set->data, capacity * sizeof *data);
        if (!data)
            return false;
        set->data = data;
        builder->data_capacity = capacity;
    }
    struct size_data *added = &set->data[set->data_count];
    *added = (struct size_data){builder->last, strdup(buffer), strdup(file)};
    if (added->buffer && added->file) {
        set->data_count++;
        return true;
    }
    free(added->buffer);
    free(added->file);
    return false;
}

bool size_builder_blame(struct place place, struct error *error)
{
    const struct error cause = *error;
    if (cause.code != ERROR_INPUT || cause.line > 0)
        return false;
    error_at(error, ERROR_INPUT, place, "%s", cause.text);
    return cause.hint[0] ? error_hint(error, "%s", cause.hint) : false;
}
