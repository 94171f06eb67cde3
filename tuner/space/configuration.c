/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/configuration.h"

#include "tuner/error/text_stream.h"
#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

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
    char *text = string ? json_print(string, JSON_ENCODE_ANY) : NULL;
    json_decref(string);
    if (!text)
        return false;
    fputs(text, stream);
    free(text);
    return true;
}

static bool write_member(FILE *stream, bool first, const char *name, struct value value)
{
    fprintf(stream, "%s\"%s\":", first ? "" : ",", name);
    return write_value(stream, value);
}

char *configuration_text(const struct domain *domain, const uint16_t *point)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    fputc('{', stream.out);
    for (size_t i = 0; i < domain->parameter_count && !stream.failed; i++) {
        const struct domain_parameter *parameter = &domain->parameters[i];
        stream.failed =
            !write_member(stream.out, i == 0, parameter->declaration->name, domain_value(parameter, point)) ||
            stream.failed;
    }
    fputc('}', stream.out);
    return text_stream_close(&stream, NULL);
}

char *configuration_text_of(const struct template *template, const struct value *slots)
{
    struct text_stream stream;
    bool first = true;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    fputc('{', stream.out);
    for (size_t i = 0; i < template->parameter_count && !stream.failed; i++) {
        const struct parameter_declaration *parameter = &template->parameters[i];
        if (slots[parameter->slot].kind == VALUE_UNSET)
            continue;
        stream.failed = !write_member(stream.out, first, parameter->name, slots[parameter->slot]) || stream.failed;
        first = false;
    }
    fputc('}', stream.out);
    return text_stream_close(&stream, NULL);
}

struct value configuration_value(const json_t *json)
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
        if (!member || !domain_index(parameter, configuration_value(member), &index))
            return false;
        domain_put(parameter, point, index);
    }
    return true;
}

/* Is `part` what follows? Then it is skipped. */
static bool skip(const char **at, const char *part)
{
    size_t length = strlen(part);
    bool follows = strncmp(*at, part, length) == 0;
    *at += follows ? length : 0;
    return follows;
}

enum { STRING_MOST = 64, DIGITS_MOST = 18 };

static bool read_string(const char **at, char string[STRING_MOST])
{
    size_t length = 0;
    for (; length + 1 < STRING_MOST && (*at)[length] >= ' ' && (*at)[length] != '"' && (*at)[length] != '\\';
         length++)
        string[length] = (*at)[length];
    string[length] = '\0';
    *at += length;
    return skip(at, "\"");
}

static bool read_integer(const char **at, int64_t *integer)
{
    bool negative = skip(at, "-");
    size_t digits = strspn(*at, "0123456789");
    if (digits == 0 || digits > DIGITS_MOST || (**at == '0' && (digits > 1 || negative)))
        return false;
    *integer = 0;
    for (size_t i = 0; i < digits; i++)
        *integer = *integer * 10 + (*(*at)++ - '0');
    *integer = negative ? -*integer : *integer;
    return **at == ',' || **at == '}';
}

static bool read_value(const char **at, char string[STRING_MOST], struct value *value)
{
    int64_t integer = 0;
    bool is_true = skip(at, "true");
    if (is_true || skip(at, "false"))
        *value = value_boolean(is_true);
    else if (skip(at, "\""))
        *value = value_string(string);
    else if (read_integer(at, &integer))
        *value = value_integer(integer);
    else
        return false;
    return value->kind != VALUE_STRING || read_string(at, string);
}

bool configuration_point_of_text(const struct domain *domain, const char *text, uint16_t *point)
{
    for (size_t i = 0; i < domain->parameter_count; i++) {
        const struct domain_parameter *parameter = &domain->parameters[i];
        char string[STRING_MOST];
        struct value value;
        size_t index;
        if (!skip(&text, i == 0 ? "{\"" : ",\"") || !skip(&text, parameter->declaration->name) ||
            !skip(&text, "\":") || !read_value(&text, string, &value) || !domain_index(parameter, value, &index))
            return false;
        domain_put(parameter, point, index);
    }
    return domain->parameter_count > 0 && strcmp(text, "}") == 0;
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
    struct value value = configuration_value(json);
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
    struct text_stream stream;
    json_t *object;
    *result = NULL;
    if (!json_try(text, JSON_REJECT_DUPLICATES, &object, error))
        return false;
    if (!json_is_object(object)) {
        json_decref(object);
        error_set(error, ERROR_INPUT, "not a configuration: %.200s", text);
        return error_hint(error, "a configuration is a JSON object such as {\"TILE\":64}");
    }
    bool done = text_stream_open(&stream, error);
    if (done && !write_settings(stream.out, template, object, error)) {
        text_stream_discard(&stream);
        done = false;
    }
    if (done) {
        *result = text_stream_close(&stream, error);
        done = *result != NULL;
    }
    json_decref(object);
    return done;
}
