/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/names.h"

#include "tuner/lang/parser.h"

#include <string.h>

bool name_is_allowed(const char *name, bool *allowed, struct error *error)
{
    struct error reason = {0};
    struct text text = {"", name, strlen(name)};
    struct parser parser;
    struct token token;
    struct arena arena = {0};
    struct scope *scope = scope_create(&arena);
    *allowed = scope && parser_start(&parser, &text, &arena, scope, &reason) &&
               parser_new_name(&parser, "a name", &token) && parser_at(&parser, TOKEN_END);
    arena_free(&arena);
    return (scope && reason.code != ERROR_OUT_OF_MEMORY) || error_out_of_memory(error);
}
