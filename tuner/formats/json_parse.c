/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/json_parse.h"

/*
 * Jansson has a code for out of memory, but some failed allocations get none, and in the lexer they show as bad
 * syntax. So a text is parsed again before it is called invalid.
 */
static json_t *parse(const char *text, size_t length, size_t flags, bool *memory, json_error_t *problem)
{
    json_t *document = NULL;
    for (int attempt = 0; !document && attempt < 2; attempt++) {
        *problem = (json_error_t){0}; /* jansson leaves the code alone where it has none */
        document = json_loadb(text, length, flags, problem);
        enum json_error_code code = document ? json_error_unknown : json_error_code(problem);
        *memory = !document && (code == json_error_out_of_memory || code == json_error_unknown);
        if (*memory)
            break;
    }
    return document;
}

json_t *json_parse(const char *path, const char *text, size_t length, size_t flags, struct error *error)
{
    json_error_t problem;
    bool memory;
    json_t *document = parse(text, length, flags, &memory, &problem);
    if (document)
        return document;
    size_t offset = problem.position > 0 && (size_t)problem.position <= length ? (size_t)problem.position : 0;
    struct place place = {path, text, offset, 1};
    if (memory)
        error_out_of_memory(error);
    else
        error_at(error, ERROR_INPUT, place, "invalid JSON: %s", problem.text);
    return NULL;
}

bool json_try(const char *text, size_t length, json_t **json, struct error *error)
{
    json_error_t problem;
    bool memory;
    *json = parse(text, length, 0, &memory, &problem);
    return !memory || error_out_of_memory(error);
}
