/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/limit.h"

#include "tuner/lang/condition.h"

bool limit_parse(const struct text *text, struct arena *arena, struct scope *scope, const struct expr **expr,
                 struct error *error)
{
    struct parser parser;
    if (!parser_start(&parser, text, arena, scope, error))
        return false;
    parser.measured = true;
    if (!parse_condition(&parser, expr) || !parser_skip_newlines(&parser))
        return false;
    return parser_at(&parser, TOKEN_END) || parser_expected(&parser, "an operator or the end of the limit");
}
