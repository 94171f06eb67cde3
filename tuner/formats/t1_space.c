/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_space.h"

#include "tuner/formats/t1_expressions.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters ---- */

/* Is it the value that the default stands for? `wanted` is the default as text. */
static bool is_default(struct value value, const json_t *json, const char *wanted)
{
    switch (value.kind) {
    case VALUE_STRING:
        return json_is_string(json) && strcmp(value.string, wanted) == 0;
    case VALUE_BOOLEAN:
        return json_is_boolean(json) ? json_is_true(json) == value.boolean
                                     : json_number_value(json) == (double)value.boolean;
    case VALUE_FLOAT:
        return json_is_number(json) && json_number_value(json) == value.real;
    default:
        return json_is_number(json) && json_number_value(json) == (double)value.integer;
    }
}

static bool set_default(struct t1 *t1, struct t1_parameter *parameter, struct value value, struct error *error)
{
    size_t length = value_text(value, NULL, 0);
    char *text = arena_allocate(&t1->arena, length + 1);
    if (!text)
        return error_out_of_memory(error);
    value_text(value, text, length + 1);
    parameter->default_text = text;
    return true;
}

static bool read_default(struct t1 *t1, struct t1_parameter *parameter, const json_t *json, struct error *error)
{
    const char *wanted;
    if (json_array_size(json) == 1)
        json = json_array_get(json, 0);
    if (!t1_scalar_text(t1, json, &wanted, error))
        return false;
    if (!wanted)
        return true;
    for (size_t i = 0; i < parameter->count; i++) {
        if (is_default(parameter->values[i], json, wanted))
            return set_default(t1, parameter, parameter->values[i], error);
    }
    fprintf(t1->notes.out, "default %s of %s is not one of its values and was dropped\n", wanted, parameter->name);
    return true;
}

/* Kernels get strings as macros, which can only hold names. */
static bool check_strings(const struct t1 *t1, const struct t1_parameter *parameter, struct error *error)
{
    for (size_t i = 0; i < parameter->count && !t1->foreign; i++) {
        struct value value = parameter->values[i];
        if (value.kind != VALUE_STRING || t1_is_plain_name(value.string))
            continue;
        char text[160];
        value_text(value, text, sizeof text);
        error_set(error, ERROR_INPUT, "%s: Values of %.128s: %s cannot be passed to a kernel as a macro", t1->path,
                  parameter->name, text);
        return error_hint(error, "use letters, digits and underscores, so that the kernel can test #if %.64s_...",
                          parameter->name);
    }
    return true;
}

static bool is_declared(const struct t1 *t1, const char *name)
{
    for (size_t i = 0; i < t1->parameter_count; i++) {
        if (strcmp(t1->parameters[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool check_name(struct t1 *t1, const char *name, const char *where, struct error *error)
{
    bool is_free;
    if (!t1_is_plain_name(name)) {
        char quoted[160];
        value_text(value_string(name), quoted, sizeof quoted);
        error_set(error, ERROR_INPUT, "%s: %s: %s is not a valid name for a parameter", t1->path, where, quoted);
        return error_hint(error, "use letters, digits and underscores, and do not begin with a digit");
    }
    if (is_declared(t1, name))
        return error_set(error, ERROR_INPUT, "%s: %s: parameter %s is declared twice", t1->path, where, name);
    if (!t1_name_is_free(t1, name, &is_free, error))
        return false;
    if (is_free)
        return true;
    error_set(error, ERROR_INPUT, "%s: %s: \"%s\" is a reserved word and cannot name a parameter", t1->path, where,
              name);
    return error_hint(error, "rename it in the T1 file and in the kernel");
}

static bool read_values(struct t1 *t1, struct t1_parameter *parameter, const json_t *values, struct error *error)
{
    char where[T1_WHERE];
    snprintf(where, sizeof where, "Values of %.128s", parameter->name);
    if (!json_is_array(values) && !json_is_string(values))
        return error_set(error, ERROR_INPUT, "%s: %s must be a string or an array", t1->path, where);
    char *dumped = json_is_array(values) ? json_print(values, 0) : NULL;
    if (json_is_array(values) && !dumped)
        return error_out_of_memory(error);
    bool done = t1_list(t1, dumped ? dumped : json_string_value(values), where, &parameter->values_text,
                        &parameter->values, &parameter->count, error);
    free(dumped);
    return done && check_strings(t1, parameter, error);
}

static bool read_parameter(struct t1 *t1, const json_t *json, size_t index, struct error *error)
{
    struct t1_parameter parameter = {0};
    char where[T1_WHERE];
    snprintf(where, sizeof where, "TuningParameters[%zu]", index);
    if (!t1_member_text(t1, json, "Name", where, &parameter.name, error))
        return false;
    parameter.name = t1_format(t1, error, "%s", parameter.name);
    if (!parameter.name || !check_name(t1, parameter.name, where, error))
        return false;
    const json_t *value = json_object_get(json, "Default");
    bool done = read_values(t1, &parameter, json_object_get(json, "Values"), error) &&
                (!value || read_default(t1, &parameter, value, error));
    t1->parameters[t1->parameter_count++] = parameter; /* also after an error: t1_clear frees its values */
    return done;
}

/* ---- conditions ---- */

static bool read_condition(struct t1 *t1, const json_t *json, size_t index, const struct python_names *names,
                           struct error *error)
{
    char where[T1_WHERE];
    snprintf(where, sizeof where, "Conditions[%zu]", index);
    const char *text = json_string_value(json);
    if (!text && !t1_member_text(t1, json, "Expression", where, &text, error))
        return false;
    return t1_expression(t1, text, names, where, &t1->conditions[t1->condition_count++], error);
}

enum { PARAMETERS_MOST = 1000 }; /* each is compared with all */

bool t1_read_space(struct t1 *t1, const json_t *space, struct error *error)
{
    const json_t *parameters, *conditions;
    struct python_names names;
    const char *draft = "Constraints"; /* the name in drafts of the format */
    bool is_draft = !json_object_get(space, "Conditions") && json_object_get(space, draft);
    if (!t1_optional_array(t1, space, "TuningParameters", &parameters, error) ||
        !t1_optional_array(t1, space, is_draft ? draft : "Conditions", &conditions, error))
        return false;
    size_t count = json_array_size(parameters);
    if (count == 0)
        return error_set(error, ERROR_INPUT, "%s: \"TuningParameters\" is missing or empty", t1->path);
    if (count > PARAMETERS_MOST)
        return error_set(error, ERROR_INPUT, "%s: there are %zu tuning parameters; at most %d are supported",
                         t1->path, count, PARAMETERS_MOST);
    t1->parameters = arena_allocate(&t1->arena, count * sizeof *t1->parameters);
    t1->conditions = arena_allocate(&t1->arena, (json_array_size(conditions) + 1) * sizeof *t1->conditions);
    if (!t1->parameters || !t1->conditions)
        return error_out_of_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (!read_parameter(t1, json_array_get(parameters, i), i, error))
            return false;
    }
    if (!t1_names(t1, NULL, &names, error))
        return false;
    for (size_t i = 0; i < json_array_size(conditions); i++) {
        if (!read_condition(t1, json_array_get(conditions, i), i, &names, error))
            return false;
    }
    return true;
}
