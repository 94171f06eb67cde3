/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_write_space.h"

#include "tuner/error/text_stream.h"
#include "tuner/space/value_json.h"

#include <stdlib.h>
#include <string.h>

static const char *type_name(const struct value *values, size_t count)
{
    bool floats = false;
    for (size_t i = 0; i < count; i++) {
        if (values[i].kind == VALUE_STRING)
            return "string";
        floats = floats || values[i].kind == VALUE_FLOAT;
    }
    return count && values[0].kind == VALUE_BOOLEAN ? "bool" : floats ? "float" : "int";
}

static bool write_value(struct text_stream *stream, struct value value)
{
    if (value.kind == VALUE_BOOLEAN)
        return fputs(value.boolean ? "True" : "False", stream->out) != EOF;
    size_t size = value_text(value, NULL, 0) + 1;
    char *text = malloc(size);
    if (text) {
        value_text(value, text, size);
        fputs(text, stream->out);
    }
    free(text);
    return text;
}

/* The values as a Python list; NULL when out of memory. */
static json_t *values_json(const struct value *values, size_t count)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    fputc('[', stream.out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", stream.out);
        stream.failed |= !write_value(&stream, values[i]);
    }
    fputc(']', stream.out);
    char *text = text_stream_close(&stream, NULL);
    json_t *json = text ? json_string(text) : NULL;
    free(text);
    return json;
}

static const struct space_parameter *find_parameter(const struct t1_writing *w, size_t slot)
{
    for (size_t i = 0; i < w->space->parameter_count; i++) {
        if (w->space->parameters[i].slot == slot)
            return &w->space->parameters[i];
    }
    return NULL;
}

/* The list as written in the space where that is plain Python, otherwise value by value. */
static json_t *list_json(struct t1_writing *w, const struct parameter_values *parameter)
{
    const struct space_parameter *own = find_parameter(w, parameter->declaration->slot);
    const struct place place = own ? expr_place(own->values) : (struct place){0};
    struct error error;
    if (own && memchr(place.text + place.offset, '\n', place.length) == NULL) {
        char *text = t1_python(w, own->values, &error);
        json_t *json = text ? json_string(text) : NULL;
        bool same =
            text && strlen(text) == place.length && memcmp(text, place.text + place.offset, place.length) == 0;
        free(text);
        if (same && json)
            return json;
        json_decref(json);
    }
    return values_json(parameter->values, parameter->count);
}

static bool write_default(struct t1_writing *w, size_t slot, json_t *parameter)
{
    for (size_t i = 0; i < w->space->default_count; i++) {
        struct value value;
        if (w->space->defaults[i].slot == slot && python_constant(w->space->defaults[i].value, &w->scope, &value))
            return t1_set(w, parameter, "Default", value_json(value));
    }
    return true;
}

static bool write_parameter(struct t1_writing *w, size_t index, json_t *parameters)
{
    struct parameter_values parameter;
    problem_parameter(w->problem, index, &parameter);
    json_t *json = json_object();
    return t1_append(w, parameters, json) && t1_set(w, json, "Name", json_string(parameter.declaration->name)) &&
           t1_set(w, json, "Type", json_string(type_name(parameter.values, parameter.count))) &&
           t1_set(w, json, "Values", list_json(w, &parameter)) && write_default(w, parameter.declaration->slot, json);
}

/* Is the name a word of the text? */
static bool has_word(const char *text, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        char behind = at[strlen(name)];
        if ((at == text || !strchr(letters, at[-1])) && (!behind || !strchr(letters, behind)))
            return true;
    }
    return false;
}

/* The parameters that a condition reads: lets are already replaced in its text. */
static bool write_names(struct t1_writing *w, const char *text, json_t *condition)
{
    json_t *names = json_array();
    bool done = t1_set(w, condition, "Parameters", names);
    for (size_t i = 0; done && i < problem_parameter_count(w->problem); i++) {
        struct parameter_values parameter;
        problem_parameter(w->problem, i, &parameter);
        if (has_word(text, parameter.declaration->name))
            done = t1_append(w, names, json_string(parameter.declaration->name));
    }
    return done;
}

static bool write_condition(struct t1_writing *w, const struct expr *condition, json_t *conditions)
{
    json_t *json = json_object();
    char *text = t1_python(w, condition, w->error);
    bool done = t1_append(w, conditions, json) && text && t1_set(w, json, "Expression", json_string(text)) &&
                write_names(w, text, json);
    free(text);
    return done;
}

/* A new array as a member; NULL after an error. */
static json_t *add_array(struct t1_writing *w, json_t *object, const char *name)
{
    json_t *array = json_array();
    return t1_set(w, object, name, array) ? array : NULL;
}

bool t1_write_configuration_space(struct t1_writing *w, json_t *document)
{
    json_t *space = json_object();
    if (!t1_set(w, document, "ConfigurationSpace", space))
        return false;
    json_t *parameters = add_array(w, space, "TuningParameters");
    json_t *conditions = parameters ? add_array(w, space, "Conditions") : NULL;
    bool done = conditions;
    for (size_t i = 0; done && i < problem_parameter_count(w->problem); i++)
        done = write_parameter(w, i, parameters);
    for (size_t i = 0; done && i < w->space->constraint_count; i++)
        done = write_condition(w, w->space->constraints[i].condition, conditions);
    return done;
}
