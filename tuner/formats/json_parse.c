/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/json_parse.h"

/* Jansson gives a code to every error but some failed allocations. */
static bool is_memory(const json_error_t *problem)
{
    enum json_error_code code = json_error_code(problem);
    return code == json_error_out_of_memory || code == json_error_unknown;
}

json_t *json_parse(const char *path, const char *text, size_t length, size_t flags, struct error *error)
{
    json_error_t problem;
    json_t *document = json_loadb(text, length, flags, &problem);
    if (document)
        return document;
    size_t offset = problem.position > 0 && (size_t)problem.position <= length ? (size_t)problem.position : 0;
    struct place place = {path, text, offset, 1};
    if (is_memory(&problem))
        error_out_of_memory(error);
    else
        error_at(error, ERROR_INPUT, place, "invalid JSON: %s", problem.text);
    return NULL;
}

bool json_try(const char *text, size_t length, json_t **json, struct error *error)
{
    json_error_t problem;
    *json = json_loadb(text, length, 0, &problem);
    return *json || !is_memory(&problem) || error_out_of_memory(error);
}
