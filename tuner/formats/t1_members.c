/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/t1_members.h"

bool t1_member_object(const struct t1 *t1, const json_t *object, const char *name, const json_t **member,
                      struct error *error)
{
    *member = json_object_get(object, name);
    return json_is_object(*member) ||
           error_set(error, ERROR_INPUT, "%s: \"%s\" is missing or not an object", t1->path, name);
}

bool t1_optional_array(const struct t1 *t1, const json_t *object, const char *name, const json_t **array,
                       struct error *error)
{
    *array = json_object_get(object, name);
    return !*array || json_is_null(*array) || json_is_array(*array) ||
           error_set(error, ERROR_INPUT, "%s: \"%s\" is not an array", t1->path, name);
}

bool t1_member_text(const struct t1 *t1, const json_t *object, const char *name, const char *where, const char **text,
                    struct error *error)
{
    *text = json_string_value(json_object_get(object, name));
    return (*text && **text) ||
           error_set(error, ERROR_INPUT, "%s: %s: \"%s\" is missing, empty or not a string", t1->path, where, name);
}

bool t1_scalar_text(struct t1 *t1, const json_t *json, const char **text, struct error *error)
{
    *text = json_string_value(json);
    if (!json_is_number(json) && !json_is_boolean(json))
        return true;
    char number[64];
    struct value value = json_is_integer(json) ? value_integer(json_integer_value(json))
                         : json_is_real(json)  ? value_float(json_real_value(json))
                                               : value_boolean(json_is_true(json));
    value_text(value, number, sizeof number);
    *text = t1_format(t1, error, "%s", number);
    return *text;
}

bool t1_expression_text(struct t1 *t1, const json_t *json, const char *what, const char **text, struct error *error)
{
    return t1_scalar_text(t1, json, text, error) &&
           (*text || error_set(error, ERROR_INPUT, "%s: %s must be a number or an expression", t1->path, what));
}
