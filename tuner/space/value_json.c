/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/value_json.h"

#include "tuner/json/json_text.h"

json_t *value_json(struct value value)
{
    switch (value.kind) {
    case VALUE_BOOLEAN:
        return json_boolean(value.boolean);
    case VALUE_INTEGER:
        return json_integer(value.integer);
    case VALUE_FLOAT:
        return json_finite(value.real);
    case VALUE_STRING:
        return json_string(value.string);
    case VALUE_UNSET:
        break;
    }
    return json_null();
}
