/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/count.h"
#include "tuner/lang/buffer.h"
#include "tuner/lang/expression.h"

#include <string.h>

bool parse_count(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    struct count_declaration *count = parser_append(parser, &builder->counts, sizeof *count);
    struct token name;
    if (!count || !parser_new_name(parser, "the name of a count", &name) || !parser_expect_word(parser, "at") ||
        !parser_expect_word(parser, "most") || !parse_expression(parser, &count->most))
        return false;
    if (!expression_uses_only(parser, count->most, ~(1u << NAME_COUNT), "the bound of a count"))
        return error_hint(parser->error, "it must be known before anything is launched");
    if (!parser_declare(parser, &name, NAME_COUNT, &count->slot))
        return false;
    count->name = scope_name(parser->scope, count->slot);
    return true;
}

/* The name of a declared count. */
static bool parse_count_name(struct parser *parser, size_t *slot)
{
    struct token token;
    const char *name;
    if (!parser_name(parser, "the name of a count", &name, &token))
        return false;
    const struct symbol *symbol = scope_symbol(parser->scope, name, strlen(name));
    bool is_value = symbol && symbol->kind == SYMBOL_VALUE;
    if (is_value && scope_kind(parser->scope, symbol->index) == NAME_COUNT) {
        *slot = symbol->index;
        return true;
    }
    struct place place = text_place(parser->text, token.offset, token.length);
    if (symbol)
        error_at(parser->error, ERROR_INPUT, place, "%s is %s, not a count", name,
                 symbol_noun(parser->scope, symbol));
    else
        error_at(parser->error, ERROR_INPUT, place, "unknown count %s", name);
    return error_hint(parser->error, "declare it before the blocks: count %.64s at most n", symbol ? "NAME" : name);
}

bool parse_read(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    statement->kind = STATEMENT_READ;
    if (!parse_count_name(parser, &statement->slot) || !parser_expect(parser, TOKEN_ASSIGN))
        return false;
    struct place place = parser_place(parser);
    if (!parse_buffer_name(builder, &statement->buffer))
        return false;
    const struct buffer_declaration *buffer = buffer_at(builder, statement->buffer);
    const struct layout *layout = buffer->type->layout;
    if (buffer->type->kind != TYPE_NUMBER || element_types[layout->leaves[0].element].floating)
        return error_at(parser->error, ERROR_INPUT, place, "%s is of type %s, but a count is an integer",
                        buffer->name, layout->name);
    struct token open = parser->token;
    if (!parser_at(parser, TOKEN_BRACKET_OPEN)) {
        parser_expected(parser, "'['");
        return error_hint(parser->error, "say which element: %.64s[0]", buffer->name);
    }
    return parser_advance(parser) && parse_expression(parser, &statement->at) &&
           parser_close(parser, TOKEN_BRACKET_CLOSE, &open);
}
