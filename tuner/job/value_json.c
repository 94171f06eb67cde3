/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/value_json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

json_t *write_finish(json_t *json, bool complete)
{
    if (complete)
        return json;
    json_decref(json);
    return NULL;
}

bool write_add(json_t *array, json_t *item)
{
    return json_array_append_new(array, item) == 0;
}

bool write_set(json_t *object, const char *name, json_t *item)
{
    return json_object_set_new(object, name, item) == 0;
}

json_t *write_key(uint64_t key)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, key);
    return json_string(text);
}

json_t *write_whole(uint64_t number)
{
    return number <= INT64_MAX ? json_integer((json_int_t)number) : write_key(number);
}

json_t *write_bytes(const unsigned char bytes[8])
{
    char text[17];
    for (size_t i = 0; i < 8; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return json_string(text);
}

json_t *write_text(const char *text)
{
    return text ? json_string(text) : json_null();
}

json_t *write_dimensions(struct dimensions dimensions)
{
    json_t *array = json_array();
    return write_finish(array, write_add(array, json_integer(dimensions.x)) &&
                                   write_add(array, json_integer(dimensions.y)) &&
                                   write_add(array, json_integer(dimensions.z)));
}

/* ---- reading ---- */

bool read_refuse(struct error *error, const char *what)
{
    return error_set(error, ERROR_SYSTEM, "damaged job: %s is missing or of the wrong type", what);
}

static bool read_digits(const char *text, size_t count, uint64_t *number)
{
    *number = 0;
    if (strlen(text) != count || strspn(text, "0123456789abcdef") != count)
        return false;
    *number = strtoull(text, NULL, 16);
    return true;
}

bool read_key(const json_t *json, const char *what, uint64_t *key, struct error *error)
{
    return (json_is_string(json) && read_digits(json_string_value(json), 16, key)) || read_refuse(error, what);
}

bool read_whole(const json_t *json, const char *what, uint64_t *number, struct error *error)
{
    if (!json_is_integer(json))
        return read_key(json, what, number, error);
    if (json_integer_value(json) < 0)
        return read_refuse(error, what);
    *number = (uint64_t)json_integer_value(json);
    return true;
}

bool read_index(const json_t *json, const char *what, size_t *index, struct error *error)
{
    uint64_t number;
    if (!read_whole(json, what, &number, error))
        return false;
    *index = (size_t)number;
    return true;
}

bool read_real(const json_t *json, const char *what, double *real, struct error *error)
{
    *real = json_number_value(json);
    return json_is_number(json) || read_refuse(error, what);
}

bool read_bytes(const json_t *json, unsigned char bytes[8], struct error *error)
{
    uint64_t number;
    if (!read_key(json, "the bytes of a value", &number, error))
        return false;
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * (7 - i));
    return true;
}

bool read_text(const json_t *json, const char *what, char **text, struct error *error)
{
    if (!json_is_string(json))
        return read_refuse(error, what);
    *text = strdup(json_string_value(json));
    return *text || error_out_of_memory(error);
}

bool read_word(const json_t *json, const char *what, const char *const *words, size_t count, size_t *index,
               struct error *error)
{
    const char *text = json_string_value(json);
    for (*index = 0; text && *index < count; ++*index) {
        if (strcmp(text, words[*index]) == 0)
            return true;
    }
    return read_refuse(error, what);
}

bool read_element(const json_t *json, enum element *element, struct error *error)
{
    const char *text = json_string_value(json);
    return (text && element_find(text, strlen(text), element)) || read_refuse(error, "an element type");
}

void *read_allocate(const json_t *json, const char *what, size_t size, struct error *error)
{
    if (!json_is_array(json)) {
        read_refuse(error, what);
        return NULL;
    }
    void *items = calloc(json_array_size(json) + 1, size);
    if (!items)
        error_out_of_memory(error);
    return items;
}

bool read_names(const json_t *json, const char *what, char ***names, size_t *count, struct error *error)
{
    *names = read_allocate(json, what, sizeof **names, error);
    if (!*names)
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (!read_text(json_array_get(json, i), what, &(*names)[i], error))
            return false;
        ++*count;
    }
    return true;
}

bool read_line(const json_t *json, const char *what, unsigned *line, struct error *error)
{
    json_int_t number = json_integer_value(json);
    if (!json_is_integer(json) || number < 0 || number > INT32_MAX)
        return read_refuse(error, what);
    *line = (unsigned)number;
    return true;
}

bool read_flag(const json_t *json, const char *what, bool *flag, struct error *error)
{
    *flag = json_is_true(json);
    return json_is_boolean(json) || read_refuse(error, what);
}

static bool read_dimension(const json_t *json, size_t index, uint32_t *dimension, struct error *error)
{
    uint64_t number;
    if (!read_whole(json_array_get(json, index), "a dimension", &number, error))
        return false;
    if (number > UINT32_MAX)
        return read_refuse(error, "a dimension");
    *dimension = (uint32_t)number;
    return true;
}

bool read_dimensions(const json_t *json, struct dimensions *dimensions, struct error *error)
{
    return read_dimension(json, 0, &dimensions->x, error) && read_dimension(json, 1, &dimensions->y, error) &&
           read_dimension(json, 2, &dimensions->z, error);
}
