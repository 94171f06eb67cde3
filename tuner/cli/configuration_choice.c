/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/configuration_choice.h"

#include "tuner/error/text_stream.h"
#include "tuner/json/json_text.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static bool is_plain(const char *text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-";
    return *text && text[strspn(text, plain)] == '\0';
}

/* The text of a value; NULL: out of memory. */
static char *value_of(const json_t *value)
{
    return json_is_string(value) ? strdup(json_string_value(value)) : json_text(value, JSON_ENCODE_ANY);
}

/* NULL: out of memory, or `*plain` is false. */
static char *plain_text(json_t *configuration, bool *plain)
{
    struct text_stream stream;
    const char *name, *separator = "";
    json_t *value;
    bool done = true;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    json_object_foreach(configuration, name, value)
    {
        char *text = value_of(value);
        done = done && text;
        *plain = *plain && is_plain(name) && (!text || is_plain(text));
        fprintf(stream.out, "%s%s=%s", separator, name, text ? text : "");
        separator = ",";
        free(text);
    }
    char *text = text_stream_close(&stream, NULL);
    if (text && done && *plain)
        return text;
    free(text);
    return NULL;
}

char *configuration_choice_text(const char *configuration)
{
    bool plain = true;
    json_t *json = json_loads(configuration, 0, NULL);
    char *text = json_is_object(json) ? plain_text(json, &plain) : NULL;
    if (!text && (!plain || !json_is_object(json)))
        text = strdup(configuration);
    json_decref(json);
    return text;
}

/* ---- reading ---- */

static bool is_number(const char *text, double number)
{
    char *end;
    double read = strtod(text, &end);
    return end != text && *end == '\0' && read == number;
}

static bool means(const char *text, struct value value)
{
    switch (value.kind) {
    case VALUE_STRING:
        return strcmp(text, value.string) == 0;
    case VALUE_BOOLEAN:
        return strcasecmp(text, value.boolean ? "true" : "false") == 0;
    case VALUE_INTEGER:
        return is_number(text, (double)value.integer);
    case VALUE_FLOAT:
        return is_number(text, value.real);
    case VALUE_UNSET:
        return false;
    }
    return false;
}

/* The position of a dimension that has this value; NULL text: the only one, or that of "not set". */
static bool find_position(const struct search_space *space, size_t dimension, const char *text, uint16_t *position)
{
    size_t count = search_space_positions(space, dimension);
    for (size_t i = 0; i < count; i++) {
        struct value value = search_space_value(space, dimension, i);
        *position = (uint16_t)i;
        if (text ? means(text, value) : count == 1 || value.kind == VALUE_UNSET)
            return true;
    }
    return false;
}

static bool no_such_parameter(const struct search_space *space, const char *name, struct error *error)
{
    size_t count = search_space_dimensions(space);
    const char **names = calloc(count + 1, sizeof *names);
    if (!names)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++)
        names[i] = search_space_name(space, i);
    const char *nearest = error_nearest(name, names, count);
    error_set(error, ERROR_INPUT, "--configuration: there is no parameter '%s'", name);
    if (nearest)
        error_hint(error, "did you mean '%s'?", nearest);
    free(names);
    return false;
}

/* The texts of the parameters, by dimension, point into `text`, which is cut into pieces. */
static bool split(const struct search_space *space, char *text, const char **texts, struct error *error)
{
    char *rest = NULL;
    for (char *part = strtok_r(text, ", ", &rest); part; part = strtok_r(NULL, ", ", &rest)) {
        char *equals = strchr(part, '=');
        size_t dimension;
        if (!equals) {
            error_set(error, ERROR_INPUT, "--configuration: '%s' is not NAME=VALUE", part);
            return error_hint(error, "for example --configuration BLOCK=64,ITEMS=2");
        }
        *equals = '\0';
        if (!search_space_dimension(space, part, &dimension))
            return no_such_parameter(space, part, error);
        texts[dimension] = equals + 1;
    }
    return true;
}

static bool find(const struct problem *problem, const char *const *texts, uint16_t *point, const char *whole,
                 size_t *index, struct error *error)
{
    const struct search_space *space = problem_search_space(problem);
    for (size_t i = 0; i < search_space_dimensions(space); i++) {
        if (find_position(space, i, texts[i], &point[i]))
            continue;
        if (texts[i])
            return error_set(error, ERROR_INPUT, "--configuration: %s never is %s in space %s",
                             search_space_name(space, i), texts[i], problem_space(problem)->name);
        return error_set(error, ERROR_INPUT, "--configuration: %s is missing", search_space_name(space, i));
    }
    return search_space_find(space, point, index) ||
           error_set(error, ERROR_INPUT, "--configuration: %s is not valid in space %s at %s on %s", whole,
                     problem_space(problem)->name, problem_size_text(problem), problem_device(problem)->name);
}

bool configuration_choose(const struct problem *problem, const char *text, size_t *index, struct error *error)
{
    if (*text == '{')
        return problem_configuration_find(problem, text, index) ||
               error_set(error, ERROR_INPUT,
                         "--configuration: %s is not a valid configuration of space %s at %s on %s", text,
                         problem_space(problem)->name, problem_size_text(problem), problem_device(problem)->name);
    const struct search_space *space = problem_search_space(problem);
    size_t dimensions = search_space_dimensions(space);
    char *pieces = strdup(text);
    const char **texts = calloc(dimensions + 1, sizeof *texts);
    uint16_t *point = calloc(dimensions + 1, sizeof *point);
    bool done = (pieces && texts && point) || error_out_of_memory(error);
    done = done && split(space, pieces, texts, error) && find(problem, texts, point, text, index, error);
    free(pieces);
    free(texts);
    free(point);
    return done;
}
