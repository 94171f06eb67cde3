/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/json_output.h"

#include "tuner/error/visible.h"
#include "tuner/evaluation/ceilings.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>

void json_append(json_t **array, json_t *value)
{
    if (json_array_append_new(*array, value) == 0)
        return;
    json_decref(*array);
    *array = NULL;
}

void json_put(json_t **object, const char *name, json_t *value)
{
    if (json_object_set_new(*object, name, value) == 0)
        return;
    json_decref(*object);
    *object = NULL;
}

json_t *json_of_text(const char *text)
{
    json_t *json;
    if (!json_try(text, 0, &json, NULL))
        return NULL;
    return json ? json : json_string_of_bytes(text);
}

bool json_output(json_t *document, size_t flags, struct error *error)
{
    char *text = document ? json_print(document, flags) : NULL;
    if (text) {
        visible_write_json(stdout, text); /* main reports a standard output that is closed or full */
        fputc('\n', stdout);
    }
    free(text);
    json_decref(document);
    return text || error_out_of_memory(error);
}

const char *json_string_at(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

void json_put_limit(json_t **object, const struct share *share)
{
    if (share->percent < 0)
        return;
    json_put(object, "limit", json_string(work_kinds[share->figure].pipe));
    json_put(object, "limit_source", json_string(ceiling_source(&share->ceiling)));
    json_put(object, "limit_rate", json_real(share->ceiling.rate));
}
