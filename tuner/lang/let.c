/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/let.h"
#include "tuner/lang/condition.h"
#include "tuner/lang/expression.h"

bool parse_top_let(struct parser *parser, struct list *lets)
{
    if (lets->count == LETS_LIMIT)
        return parser_fail(parser, "there are more than %d lets", LETS_LIMIT);
    struct let_declaration *let = parser_append(parser, lets, sizeof *let);
    return let && parse_let(parser, NAME_LET, let);
}

bool parse_let(struct parser *parser, enum name_kind kind, struct let_declaration *let)
{
    struct token name;
    if (!parser_new_name(parser, "the name of a let", &name) || !parser_expect(parser, TOKEN_ASSIGN) ||
        !parse_expression(parser, &let->value) || !parser_declare(parser, &name, kind, &let->slot))
        return false;
    let->name = scope_name(parser->scope, let->slot);
    scope_set_height(parser->scope, let->slot, let->value->root->height);
    scope_set_traits(parser->scope, let->slot, condition_traits(parser, let->value->root));
    return true;
}
