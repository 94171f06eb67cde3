/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/kernel_name.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/function.h"
#include "tuner/source/kernel_name.h"

#include <string.h>

enum { TEXT_LIMIT_OF_NAME = 1000 };

/* C++ that is put together from tokens. */
struct cpp_text {
    char text[TEXT_LIMIT_OF_NAME + 1];
    size_t length;
};

static bool add(struct parser *parser, struct cpp_text *text, const char *part, size_t length)
{
    if (text->length + length > TEXT_LIMIT_OF_NAME)
        return parser_fail(parser, "a kernel's name is longer than %d characters", TEXT_LIMIT_OF_NAME);
    memcpy(text->text + text->length, part, length);
    text->length += length;
    text->text[text->length] = '\0';
    return true;
}

/* Take the current token into the text; words are kept apart. */
static bool take(struct parser *parser, struct cpp_text *text)
{
    const char *token = parser->text->data + parser->token.offset;
    char last = text->length ? text->text[text->length - 1] : ' ';
    bool apart = parser_at(parser, TOKEN_NAME) && !strchr(" :<(,", last);
    return (!apart || add(parser, text, " ", 1)) && add(parser, text, token, parser->token.length) &&
           parser_advance(parser);
}

/* ---- names ---- */

bool at_kernel_name(const struct parser *parser)
{
    struct lexer ahead = parser->lexer;
    struct token next, after;
    if (!parser_at(parser, TOKEN_NAME) || !lexer_next(&ahead, &next, NULL))
        return false;
    return next.kind == TOKEN_LAUNCH_OPEN || next.kind == TOKEN_LESS ||
           (next.kind == TOKEN_COLON && lexer_next(&ahead, &after, NULL) && after.kind == TOKEN_COLON);
}

/* :: is two tokens. */
static bool take_scope(struct parser *parser, struct cpp_text *text)
{
    size_t first = parser->token.offset;
    if (!take(parser, text))
        return false;
    if (!parser_at(parser, TOKEN_COLON) || parser->token.offset != first + 1)
        return parser_expected(parser, "'::'");
    return take(parser, text);
}

static bool parse_path(struct parser *parser, struct cpp_text *text)
{
    for (;;) {
        if (!parser_at(parser, TOKEN_NAME))
            return parser_expected(parser, "the name of a kernel");
        if (!take(parser, text))
            return false;
        if (!parser_at(parser, TOKEN_COLON))
            return true;
        if (!take_scope(parser, text))
            return false;
    }
}

/* ---- C++ types ---- */

/* Take one > of >, >> or >>>. */
static bool take_close(struct parser *parser, struct cpp_text *text)
{
    struct token *token = &parser->token;
    if (token->kind != TOKEN_SHIFT_RIGHT && token->kind != TOKEN_LAUNCH_CLOSE)
        return take(parser, text);
    token->kind = token->kind == TOKEN_SHIFT_RIGHT ? TOKEN_GREATER : TOKEN_SHIFT_RIGHT;
    token->offset++;
    token->length--;
    return add(parser, text, ">", 1);
}

static bool at_close(const struct parser *parser)
{
    return parser_at(parser, TOKEN_GREATER) || parser_at(parser, TOKEN_SHIFT_RIGHT) ||
           parser_at(parser, TOKEN_LAUNCH_CLOSE);
}

/* Types that C++ calls otherwise: uint, ulong. What both know means what C++ means by it. */
static bool take_type_word(struct parser *parser, struct cpp_text *text)
{
    static const char *const shared[] = {"char", "short", "int", "long", "half", "float", "double"};
    const char *word = parser->text->data + parser->token.offset;
    enum element element;
    bool ours = element_find(word, parser->token.length, &element);
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        ours = ours && !parser_at_word(parser, shared[i]);
    if (!ours)
        return take(parser, text);
    const char *name = element_types[element].c_name;
    char last = text->length ? text->text[text->length - 1] : ' ';
    return (strchr(" :<(,", last) || add(parser, text, " ", 1)) && add(parser, text, name, strlen(name)) &&
           parser_advance(parser);
}

static bool take_type_part(struct parser *parser, struct cpp_text *text)
{
    static const enum token_kind signs[] = {TOKEN_LESS,  TOKEN_STAR,    TOKEN_AND,
                                            TOKEN_MINUS, TOKEN_INTEGER, TOKEN_COMMA};
    if (parser_at(parser, TOKEN_NAME))
        return take_type_word(parser, text);
    if (parser_at(parser, TOKEN_COLON))
        return take_scope(parser, text);
    if (at_close(parser))
        return take_close(parser, text);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        if (parser_at(parser, signs[i]))
            return take(parser, text);
    }
    return parser_expected(parser, "the rest of a C++ type");
}

static bool parse_type(struct parser *parser, struct cpp_text *text)
{
    unsigned depth = 0;
    while (depth > 0 || (!at_close(parser) && !parser_at(parser, TOKEN_COMMA))) {
        if (parser_at(parser, TOKEN_LESS))
            depth++;
        else if (at_close(parser))
            depth--;
        if (!take_type_part(parser, text))
            return parser->error && parser_at(parser, TOKEN_NEWLINE)
                       ? error_hint(parser->error, "a name stands on one line")
                       : false;
    }
    return true;
}

/* ---- template arguments ---- */

/* Does a C++ type begin here, rather than an expression? */
static bool at_type(const struct parser *parser)
{
    static const char *const values[] = {"true", "false", "True", "False", "not", "device"};
    const char *word = parser->text->data + parser->token.offset;
    enum function function;
    if (!parser_at(parser, TOKEN_NAME) || scope_symbol(parser->scope, word, parser->token.length))
        return false;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (parser_at_word(parser, values[i]))
            return false;
    }
    return !function_find(word, parser->token.length, &function) || parser_peek(parser) != TOKEN_PAREN_OPEN;
}

/* A string of C++ that is an argument as it stands; a comma or > follows, or it is part of an expression. */
static bool parse_string(struct parser *parser, struct template_argument *argument)
{
    struct place place = parser_place(parser);
    if (!parser_string(parser, "a string", &argument->text))
        return false;
    if (kernel_name_is_argument(argument->text))
        return true;
    error_at(parser->error, ERROR_INPUT, place, "this is no template argument");
    return error_hint(parser->error, "a C++ type or constant, with its brackets closed");
}

static bool parse_template_argument(struct builder *builder, struct template_argument *argument)
{
    struct parser *parser = &builder->parser;
    if (parser_at(parser, TOKEN_STRING))
        return parse_string(parser, argument);
    if (!at_type(parser))
        return parse_sum(parser, &argument->value);
    struct cpp_text text = {.length = 0};
    if (!parse_type(parser, &text))
        return false;
    argument->text = arena_string(parser->arena, text.text, text.length);
    return argument->text || parser_out_of_memory(parser);
}

static bool parse_template_arguments(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    struct list arguments = {0};
    bool comma = true;
    statement->is_template = true;
    if (!parser_advance(parser))
        return false;
    while (comma && !parser_at(parser, TOKEN_GREATER)) {
        struct template_argument *argument = parser_append(parser, &arguments, sizeof *argument);
        if (!argument || !parse_template_argument(builder, argument) || !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
    }
    statement->template_arguments = arguments.items;
    statement->template_argument_count = arguments.count;
    if (parser_at(parser, TOKEN_GREATER))
        return parser_advance(parser);
    parser_expected(parser, "'>'");
    return error_hint(parser->error, "put comparisons and choices among template arguments in parentheses");
}

bool parse_kernel_name(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    struct cpp_text text = {.length = 0};
    if (!parse_path(parser, &text))
        return false;
    statement->name = arena_string(parser->arena, text.text, text.length);
    if (!statement->name)
        return parser_out_of_memory(parser);
    return !parser_at(parser, TOKEN_LESS) || parse_template_arguments(builder, statement);
}
