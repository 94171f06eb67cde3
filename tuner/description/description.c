/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/description/description.h"
#include "tuner/error/input_file.h"
#include "tuner/error/output_file.h"
#include "tuner/json/json_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIELD(name)                                                                                                  \
    {                                                                                                                \
#name, offsetof(struct device_description, name)                                                             \
    }

const struct device_field device_fields[] = {
    FIELD(compute_capability),
    FIELD(warp_size),
    FIELD(max_threads_per_block),
    FIELD(max_block_x),
    FIELD(max_block_y),
    FIELD(max_block_z),
    FIELD(max_grid_x),
    FIELD(max_grid_y),
    FIELD(max_grid_z),
    FIELD(max_shared_per_block),
    FIELD(max_shared_per_block_optin),
    FIELD(max_shared_per_sm),
    FIELD(max_registers_per_block),
    FIELD(max_registers_per_sm),
    FIELD(max_threads_per_sm),
    FIELD(max_blocks_per_sm),
    FIELD(sm_count),
    FIELD(l2_bytes),
    FIELD(constant_bytes),
    FIELD(memory_bytes),
    FIELD(clock_khz),
    FIELD(memory_clock_khz),
    FIELD(memory_bus_bits),
};
const size_t device_field_count = sizeof device_fields / sizeof *device_fields;

static const struct device_field peak_fields[] = {
    FIELD(peak_flops), FIELD(peak_bandwidth), FIELD(peak_special), FIELD(peak_shared), FIELD(peak_integer),
};

static const struct text_field {
    const char *name;
    size_t offset, size;
    bool required;
} text_fields[] = {
#define TEXT(name, required)                                                                                         \
    {                                                                                                                \
#name, offsetof(struct device_description, name), sizeof((struct device_description *)NULL)->name, required  \
    }
    TEXT(kind, true),  TEXT(name, true),    TEXT(architecture, true),
    TEXT(uuid, false), TEXT(driver, false), TEXT(compiler, false),
};

enum {
    TEXT_COUNT = sizeof text_fields / sizeof *text_fields,
    INTEGER_COUNT = sizeof device_fields / sizeof *device_fields,
    PEAK_COUNT = sizeof peak_fields / sizeof *peak_fields,
};

json_t *device_description_json(const struct device_description *description)
{
    const char *base = (const char *)description;
    json_t *object = json_object();
    if (!object)
        return NULL;
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        if (json_object_set_new(object, text_fields[i].name, json_string_of_bytes(base + text_fields[i].offset)) != 0)
            goto failed;
    }
    for (size_t i = 0; i < INTEGER_COUNT; i++) {
        int64_t value;
        memcpy(&value, base + device_fields[i].offset, sizeof value);
        if (json_object_set_new(object, device_fields[i].name, json_integer(value)) != 0)
            goto failed;
    }
    for (size_t i = 0; i < PEAK_COUNT; i++) {
        double value;
        memcpy(&value, base + peak_fields[i].offset, sizeof value);
        if (json_object_set_new(object, peak_fields[i].name, json_real(value)) != 0)
            goto failed;
    }
    return object;

failed:
    json_decref(object);
    return NULL;
}

/* What `tune list devices --json` says besides, of the machine that the device is in. */
static const char *const ignored_fields[] = {"device", "confinement"};
enum { IGNORED_COUNT = sizeof ignored_fields / sizeof *ignored_fields };

/* Unknown names are probably typos, which must not silently lose a limit. */
static bool check_names(const json_t *object, struct error *error)
{
    const char *names[TEXT_COUNT + INTEGER_COUNT + PEAK_COUNT + IGNORED_COUNT];
    size_t count = 0;
    for (size_t i = 0; i < IGNORED_COUNT; i++)
        names[count++] = ignored_fields[i];
    for (size_t i = 0; i < TEXT_COUNT; i++)
        names[count++] = text_fields[i].name;
    for (size_t i = 0; i < INTEGER_COUNT; i++)
        names[count++] = device_fields[i].name;
    for (size_t i = 0; i < PEAK_COUNT; i++)
        names[count++] = peak_fields[i].name;

    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        bool known = false;
        for (size_t i = 0; i < count && !known; i++)
            known = strcmp(key, names[i]) == 0;
        if (known)
            continue;
        error_set(error, ERROR_INPUT, "unknown field \"%.80s\" in the device description", key);
        const char *nearest = error_nearest(key, names, count);
        return nearest ? error_hint(error, "did you mean \"%s\"?", nearest) : false;
    }
    return true;
}

static bool missing(const char *name, struct error *error)
{
    error_set(error, ERROR_INPUT, "field \"%s\" is missing from the device description", name);
    return error_hint(error, "all limits are required; a recorded description has them all");
}

static bool read_text(const json_t *object, const struct text_field *field, char *to, struct error *error)
{
    const json_t *value = json_object_get(object, field->name);
    if (!value)
        return field->required ? missing(field->name, error) : true;
    if (!json_is_string(value))
        return error_set(error, ERROR_INPUT, "\"%s\" of the device description must be a string", field->name);
    size_t length = json_string_length(value);
    if (length >= field->size)
        return error_set(error, ERROR_INPUT, "\"%s\" of the device description is longer than %zu bytes", field->name,
                         field->size - 1);
    if (field->required && length == 0)
        return error_set(error, ERROR_INPUT, "\"%s\" of the device description is empty", field->name);
    memcpy(to, json_string_value(value), length);
    return true;
}

static bool read_integer(const json_t *object, const char *name, char *to, struct error *error)
{
    const json_t *value = json_object_get(object, name);
    if (!value)
        return missing(name, error);
    if (!json_is_integer(value))
        return error_set(error, ERROR_INPUT, "\"%s\" of the device description must be a whole number", name);
    int64_t number = json_integer_value(value);
    if (number < 0)
        return error_set(error, ERROR_INPUT, "\"%s\" of the device description is negative", name);
    memcpy(to, &number, sizeof number);
    return true;
}

static bool read_peak(const json_t *object, const char *name, char *to, struct error *error)
{
    const json_t *value = json_object_get(object, name);
    if (!value)
        return true;
    if (!json_is_number(value) || json_number_value(value) < 0)
        return error_set(error, ERROR_INPUT, "\"%s\" of the device description must be a non-negative number", name);
    double number = json_number_value(value);
    memcpy(to, &number, sizeof number);
    return true;
}

bool device_description_from_json(const json_t *json, struct device_description *description, struct error *error)
{
    if (!json_is_object(json))
        return error_set(error, ERROR_INPUT, "a device description must be a JSON object");
    if (!check_names(json, error))
        return false;

    struct device_description read = {0};
    char *base = (char *)&read;
    for (size_t i = 0; i < TEXT_COUNT; i++) {
        if (!read_text(json, &text_fields[i], base + text_fields[i].offset, error))
            return false;
    }
    for (size_t i = 0; i < INTEGER_COUNT; i++) {
        if (!read_integer(json, device_fields[i].name, base + device_fields[i].offset, error))
            return false;
    }
    for (size_t i = 0; i < PEAK_COUNT; i++) {
        if (!read_peak(json, peak_fields[i].name, base + peak_fields[i].offset, error))
            return false;
    }
    *description = read;
    return true;
}

/* A description has about a thousand bytes; anything larger is some other file. */
enum { FILE_LIMIT = 64 * 1024 };

static bool read_file(const char *path, char **text, size_t *length, struct error *error)
{
    *text = NULL;
    bool regular;
    int descriptor = input_file_open(path, &regular, error);
    if (descriptor < 0)
        return false;
    FILE *file = fdopen(descriptor, "rb");
    if (!file) {
        close(descriptor);
        return error_out_of_memory(error);
    }

    char *buffer = malloc(FILE_LIMIT + 1);
    if (!buffer) {
        error_out_of_memory(error);
        goto done;
    }
    size_t size = fread(buffer, 1, FILE_LIMIT, file);
    if (ferror(file)) {
        error_set(error, ERROR_INPUT, "cannot read the device description %s: %s", path, strerror(errno));
        goto done;
    }
    if (size == FILE_LIMIT) {
        error_set(error, ERROR_INPUT, "%s is too large for a device description", path);
        goto done;
    }
    buffer[size] = '\0';
    *text = buffer;
    *length = size;
    buffer = NULL;

done:
    free(buffer);
    fclose(file);
    return *text != NULL;
}

bool device_description_read(const char *path, struct device_description *description, struct error *error)
{
    char *text;
    size_t length = 0;
    if (!read_file(path, &text, &length, error))
        return false;

    json_t *json;
    bool done = json_parse(text, length, JSON_REJECT_DUPLICATES, path, "not a device description", &json, error);
    if (done) {
        done = device_description_from_json(json, description, error);
        if (!done && error)
            snprintf(error->file, sizeof error->file, "%s", path);
    }
    json_decref(json);
    free(text);
    return done;
}

bool device_description_alike(const struct device_description *a, const struct device_description *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->name, b->name) == 0 &&
           strcmp(a->architecture, b->architecture) == 0 && a->sm_count == b->sm_count &&
           a->memory_bytes >> 30 == b->memory_bytes >> 30;
}

bool device_description_write(const char *path, const struct device_description *description, struct error *error)
{
    struct output_file file;
    json_t *json = device_description_json(description);
    char *text = json ? json_text(json, JSON_INDENT(2)) : NULL;
    json_decref(json);
    if (!text)
        return error_out_of_memory(error);
    bool done = output_file_open(&file, path, error);
    if (done) {
        fprintf(file.stream, "%s\n", text); /* closing notices a failed write */
        done = output_file_close(&file, true, error);
    }
    free(text);
    return done;
}
