/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/descriptions.h"

#include "tuner/json/json_text.h"

#include <stdlib.h>

static json_t *values_json(const struct parameter_declaration *parameter)
{
    json_t *values = json_array();
    for (size_t i = 0; values && i < parameter->value_count; i++) {
        const struct value_description *described = &parameter->values[i];
        if (json_array_append_new(
                values, json_pack("{s:s, s:s}", "value", described->value, "meaning", described->meaning))) {
            json_decref(values);
            values = NULL;
        }
    }
    return values;
}

static json_t *parameter_json(const struct parameter_declaration *parameter)
{
    if (parameter->value_count == 0)
        return json_pack("{s:s, s:s}", "name", parameter->name, "meaning", parameter->meaning);
    return json_pack("{s:s, s:s, s:o}", "name", parameter->name, "meaning", parameter->meaning, "values",
                     values_json(parameter));
}

json_t *descriptions_json(const struct template *template)
{
    json_t *descriptions = json_array();
    for (size_t i = 0; descriptions && i < template->parameter_count; i++) {
        if (json_array_append_new(descriptions, parameter_json(&template->parameters[i])) != 0) {
            json_decref(descriptions);
            descriptions = NULL;
        }
    }
    return descriptions;
}

char *descriptions_text(const struct template *template)
{
    json_t *descriptions = descriptions_json(template);
    char *text = descriptions ? json_text(descriptions, JSON_COMPACT) : NULL;
    json_decref(descriptions);
    return text;
}
