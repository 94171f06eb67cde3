/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/configuration.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static bool finish(FILE *stream, char **text)
{
    bool written = !ferror(stream);
    if (fclose(stream) == 0 && written)
        return true;
    free(*text);
    *text = NULL;
    return false;
}

/* Floats get as few digits as read back equal, where jansson would write 17. */
static bool write_value(FILE *stream, struct value value)
{
    char number[64];
    if (value.kind != VALUE_STRING) {
        value_text(value, number, sizeof number);
        fputs(number, stream);
        return true;
    }
    json_t *string = json_string(value.string);
    char *text = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    json_decref(string);
    if (!text)
        return false;
    fputs(text, stream);
    free(text);
    return true;
}

char *configuration_text(const struct domain *domain, const uint16_t *point)
{
    char *text = NULL;
    size_t length;
    bool written = true;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    fputc('{', stream);
    for (size_t i = 0; i < domain->parameter_count && written; i++) {
        const struct domain_parameter *parameter = &domain->parameters[i];
        fprintf(stream, "%s\"%s\":", i ? "," : "", parameter->declaration->name);
        written = write_value(stream, domain_value(parameter, point));
    }
    fputc('}', stream);
    if (!finish(stream, &text))
        return NULL;
    if (!written) {
        free(text);
        return NULL;
    }
    return text;
}

static struct value value_of_json(const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_TRUE:
    case JSON_FALSE:
        return value_boolean(json_is_true(json));
    case JSON_INTEGER:
        return value_integer(json_integer_value(json));
    case JSON_REAL:
        return value_float(json_real_value(json));
    case JSON_STRING:
        return value_string(json_string_value(json));
    default:
        return (struct value){.kind = VALUE_UNSET};
    }
}

bool configuration_point(const struct domain *domain, const struct json_t *object, uint16_t *point)
{
    if (!json_is_object(object) || json_object_size(object) != domain->parameter_count)
        return false;
    for (size_t i = 0; i < domain->parameter_count; i++) {
        const struct domain_parameter *parameter = &domain->parameters[i];
        const json_t *member = json_object_get(object, parameter->declaration->name);
        size_t index;
        if (!member || !domain_index(parameter, value_of_json(member), &index))
            return false;
        domain_put(parameter, point, index);
    }
    return true;
}

static bool declares(const struct template *template, const char *name, struct error *error)
{
    const char *names[256];
    size_t count = 0;
    for (size_t i = 0; i < template->parameter_count; i++) {
        if (strcmp(template->parameters[i].name, name) == 0)
            return true;
        if (count < sizeof names / sizeof *names)
            names[count++] = template->parameters[i].name;
    }
    error_set(error, ERROR_INPUT, "template %s has no parameter %s", template->name, name);
    const char *nearest = error_nearest(name, names, count);
    return nearest ? error_hint(error, "did you mean %s?", nearest) : false;
}

static bool write_setting(FILE *stream, const char *name, const json_t *json, struct error *error)
{
    struct value value = value_of_json(json);
    if (value.kind == VALUE_UNSET)
        return error_set(error, ERROR_INPUT, "parameter %s is not a number, a boolean or a string", name);
    size_t size = value_text(value, NULL, 0) + 1;
    char *text = malloc(size);
    if (!text)
        return error_out_of_memory(error);
    value_text(value, text, size);
    fprintf(stream, "set %s = %s\n", name, text);
    free(text);
    return true;
}

static bool write_settings(FILE *stream, const struct template *template, json_t *object, struct error *error)
{
    const char *name;
    json_t *json;
    fprintf(stream, "space configuration of %s\n", template->name);
    json_object_foreach(object, name, json)
    {
        if (!declares(template, name, error) || !write_setting(stream, name, json, error))
            return false;
    }
    return true;
}

bool configuration_space_text(const struct template *template, const char *text, char **result, struct error *error)
{
    size_t length;
    json_error_t problem;
    *result = NULL;
    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &problem);
    if (!json_is_object(object)) {
        json_decref(object);
        error_set(error, ERROR_INPUT, "not a configuration: %.200s", text);
        return error_hint(error, "a configuration is a JSON object such as {\"TILE\":64}");
    }
    FILE *stream = open_memstream(result, &length);
    if (!stream) {
        json_decref(object);
        return error_out_of_memory(error);
    }
    bool done = write_settings(stream, template, object, error);
    json_decref(object);
    if (!finish(stream, result))
        return done && error_out_of_memory(error);
    if (!done) {
        free(*result);
        *result = NULL;
    }
    return done;
}
