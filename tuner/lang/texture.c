/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/texture.h"
#include "tuner/lang/buffer.h"
#include "tuner/lang/expression.h"

#include <stddef.h>
#include <string.h>

bool at_texture(const struct parser *parser)
{
    return (parser_at_word(parser, "texture") || parser_at_word(parser, "surface")) &&
           parser_peek(parser) == TOKEN_PAREN_OPEN;
}

static const struct {
    const char *word;
    size_t offset;
} options[] = {
    {"filter", offsetof(struct texture_declaration, filter)},
    {"address", offsetof(struct texture_declaration, address)},
    {"normalized", offsetof(struct texture_declaration, normalized)},
};

enum { OPTIONS = sizeof options / sizeof *options };

static bool unknown_option(struct parser *parser)
{
    char name[NAME_LENGTH_LIMIT + 1] = "";
    const char *words[OPTIONS];
    for (size_t i = 0; i < OPTIONS; i++)
        words[i] = options[i].word;
    memcpy(name, parser->text->data + parser->token.offset, parser->token.length);
    const char *nearest = error_nearest(name, words, OPTIONS);
    parser_fail(parser, "a texture has no option %s", name);
    if (nearest)
        return error_hint(parser->error, "did you mean %s?", nearest);
    return error_hint(parser->error, "the options are filter, address and normalized");
}

static bool parse_option(struct parser *parser, bool surface, struct texture_declaration *texture)
{
    size_t i = 0;
    if (surface)
        return parser_fail(parser, "a surface has no options");
    while (i < OPTIONS && !parser_at_word(parser, options[i].word))
        i++;
    if (i == OPTIONS)
        return unknown_option(parser);
    const struct expr **value = (const struct expr **)(void *)((char *)texture + options[i].offset);
    if (*value)
        return parser_fail(parser, "%s is given twice", options[i].word);
    return parser_advance(parser) && parser_expect(parser, TOKEN_ASSIGN) && parse_expression(parser, value);
}

static bool parse_extent(struct parser *parser, struct texture_declaration *texture)
{
    if (texture->dimensions == 3)
        return parser_fail(parser, "a texture or surface has three dimensions at most");
    return parse_expression(parser, &texture->extent[texture->dimensions++]);
}

bool parse_texture(struct builder *builder, struct argument *argument)
{
    struct parser *parser = &builder->parser;
    struct texture_declaration *texture = parser_allocate(parser, sizeof *texture);
    bool surface = parser_at_word(parser, "surface"), comma = true;
    struct token open;
    argument->kind = surface ? ARGUMENT_SURFACE : ARGUMENT_TEXTURE;
    argument->texture = texture;
    if (!texture || !parser_advance(parser))
        return false;
    open = parser->token;
    if (!parser_expect(parser, TOKEN_PAREN_OPEN) || !parse_buffer_name(builder, &argument->buffer))
        return false;
    while (parser_accept(parser, TOKEN_COMMA, &comma) && comma) {
        bool option = parser_at(parser, TOKEN_NAME) && parser_peek(parser) == TOKEN_ASSIGN;
        if (option ? !parse_option(parser, surface, texture) : !parse_extent(parser, texture))
            return false;
    }
    return !comma && parser_close(parser, TOKEN_PAREN_CLOSE, &open);
}
