/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/parameters.h"

#include "tuner/cli/json_output.h"
#include "tuner/error/text_stream.h"
#include "tuner/error/visible.h"
#include "tuner/json/json_text.h"
#include "tuner/space/problem.h"

#include <stdlib.h>
#include <string.h>

static bool all_have(json_t *const *configurations, size_t count, const char *name, const json_t *value)
{
    for (size_t i = 0; i < count; i++) {
        const json_t *other = json_object_get(configurations[i], name);
        if (!other || !json_equal(value, other))
            return false;
    }
    return true;
}

json_t *parameters_shared(json_t *const *configurations, size_t count)
{
    json_t *shared = json_object();
    if (count < 2)
        return shared;
    const char *name;
    json_t *value;
    json_object_foreach(configurations[0], name, value)
    {
        if (all_have(configurations + 1, count - 1, name, value))
            json_put(&shared, name, json_incref(value));
    }
    return shared;
}

json_t *parameters_fixed(const struct problem *problem)
{
    json_t *fixed = json_object();
    if (problem_space(problem)->member_count)
        return fixed; /* of a union: what one member fixes another may vary */
    for (size_t i = 0; i < problem_parameter_count(problem); i++) {
        struct parameter_values parameter;
        problem_parameter(problem, i, &parameter);
        if (parameter.fixed || parameter.count == 1)
            json_put(&fixed, parameter.declaration->name, json_true());
    }
    return fixed;
}

/* A value without quotes. */
static bool print_value(FILE *stream, const json_t *value)
{
    if (json_is_string(value)) {
        fputs(json_string_value(value), stream);
        return true;
    }
    if (json_is_integer(value)) {
        fprintf(stream, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return true;
    }
    char *text = json_text(value, 0);
    if (text)
        fputs(text, stream);
    free(text);
    return text != NULL;
}

char *parameters_text(json_t *configuration, const json_t *left_out)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    const char *name, *separator = "";
    json_t *value;
    bool printed = true;
    json_object_foreach(configuration, name, value)
    {
        if (left_out && json_object_get(left_out, name))
            continue;
        fprintf(stream.out, "%s%s=", separator, name);
        printed = printed && print_value(stream.out, value);
        separator = " ";
    }
    char *text = text_stream_close(&stream, NULL);
    char *shown = text && printed ? visible_text(text, VISIBLE_ONE_LINE) : NULL;
    free(text);
    return shown;
}

char *parameters_text_of(const char *json, const json_t *left_out)
{
    struct error error = {0};
    json_t *configuration;
    if (json_parse(json, strlen(json), 0, NULL, "configuration", &configuration, &error)) {
        char *text = parameters_text(configuration, left_out);
        json_decref(configuration);
        return text;
    }
    return error.code == ERROR_OUT_OF_MEMORY ? NULL : visible_text(json, VISIBLE_ONE_LINE);
}

bool parameters_print_shared(json_t *shared, const struct terminal *out, struct error *error)
{
    if (json_object_size(shared) == 0)
        return true;
    char *text = parameters_text(shared, NULL);
    if (!text)
        return error_out_of_memory(error);
    terminal_print_folded("all rows: ", text, STYLE_FAINT, out);
    free(text);
    return true;
}
