/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/launch.h"
#include "tuner/lang/buffer.h"
#include "tuner/lang/compound.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/function.h"
#include "tuner/lang/kernel_name.h"
#include "tuner/lang/launch_attributes.h"
#include "tuner/lang/structure.h"
#include "tuner/lang/texture.h"

#include <string.h>

/* ref(y), mag(y) */
static bool parse_expectation(struct builder *builder, struct argument *argument)
{
    struct parser *parser = &builder->parser;
    bool is_reference = parser_at_word(parser, "ref");
    argument->kind = is_reference ? ARGUMENT_REFERENCE : ARGUMENT_MAGNITUDE;
    if (!builder->in_reference) {
        parser_fail(parser, "ref() and mag() may only be used in the reference");
        return error_hint(parser->error, "pass the buffer itself to this kernel");
    }
    if (!parser_advance(parser) || !parser_expect(parser, TOKEN_PAREN_OPEN))
        return false;
    struct place place = parser_place(parser);
    if (!parse_buffer_name(builder, &argument->buffer))
        return false;
    const struct buffer_declaration *buffer = buffer_at(builder, argument->buffer);
    if (!role_is_output(buffer->role))
        return error_at(parser->error, ERROR_INPUT, place, "%s is not an output, so it has no expected values",
                        buffer->name);
    struct buffer_state *state = buffer_state_at(builder, argument->buffer);
    *(is_reference ? &state->referenced : &state->weighed) = true;
    return parser_expect(parser, TOKEN_PAREN_CLOSE);
}

/* x, x + offset */
static bool parse_buffer_argument(struct builder *builder, struct argument *argument)
{
    bool plus;
    argument->kind = ARGUMENT_BUFFER;
    return parse_buffer_name(builder, &argument->buffer) && parser_accept(&builder->parser, TOKEN_PLUS, &plus) &&
           (!plus || parse_sum(&builder->parser, &argument->offset));
}

/* Is it the name of a type of numbers, and of nothing else? */
static bool at_element(const struct parser *parser, enum element *element)
{
    const char *name = parser->text->data + parser->token.offset;
    size_t length = parser->token.length;
    enum function function;
    return parser_at(parser, TOKEN_NAME) && element_find(name, length, element) &&
           !function_find(name, length, &function) && !buffer_symbol(parser);
}

/* uint(n), where uint is a type only; int and float are functions as well, with the same meaning. */
static bool parse_typed_argument(struct builder *builder, struct argument *argument)
{
    struct parser *parser = &builder->parser;
    struct token open;
    argument->typed = true;
    if (!parser_advance(parser))
        return false;
    open = parser->token;
    return parser_expect(parser, TOKEN_PAREN_OPEN) && parse_expression(parser, &argument->value) &&
           parser_close(parser, TOKEN_PAREN_CLOSE, &open);
}

static bool parse_scalar(struct builder *builder, struct argument *argument)
{
    struct parser *parser = &builder->parser;
    argument->kind = ARGUMENT_SCALAR;
    if (at_element(parser, &argument->element))
        return parse_typed_argument(builder, argument);
    if (!parse_expression(parser, &argument->value))
        return false;
    const struct node *root = argument->value->root;
    argument->typed =
        root->kind == NODE_CALL && (root->operation == FUNCTION_INT || root->operation == FUNCTION_FLOAT);
    if (argument->typed)
        argument->element = root->operation == FUNCTION_INT ? ELEMENT_INT : ELEMENT_FLOAT;
    return true;
}

/* A buffer, ref() or mag(), if there is one. */
static bool parse_pointer(struct builder *builder, struct argument *argument, bool *taken)
{
    struct parser *parser = &builder->parser;
    const struct symbol *symbol = buffer_symbol(parser);
    bool expectation =
        (parser_at_word(parser, "ref") || parser_at_word(parser, "mag")) && parser_peek(parser) == TOKEN_PAREN_OPEN;
    *taken = expectation || (symbol && symbol->kind == SYMBOL_BUFFER);
    if (expectation)
        return parse_expectation(builder, argument);
    return !*taken || parse_buffer_argument(builder, argument);
}

static bool parse_value(struct builder *builder, struct argument *argument)
{
    const struct type *type = NULL;
    bool call = parser_peek(&builder->parser) == TOKEN_PAREN_OPEN;
    if (call && !find_type(builder, &type))
        return false;
    if (type && type->kind != TYPE_NUMBER)
        return parse_compound(builder, type, parse_pointer, argument);
    return parse_scalar(builder, argument);
}

static bool parse_argument(struct builder *builder, struct argument *argument)
{
    struct parser *parser = &builder->parser;
    size_t start = parser->token.offset;
    bool taken, good;
    if (at_texture(parser))
        good = parse_texture(builder, argument);
    else
        good = parse_pointer(builder, argument, &taken) && (taken || parse_value(builder, argument));
    argument->place = text_place(parser->text, start, parser->end - start);
    return good;
}

static bool parse_arguments(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    struct token open = parser->token;
    struct list arguments = {0};
    bool comma = true;
    if (!parser_expect(parser, TOKEN_PAREN_OPEN))
        return false;
    while (comma && !parser_at(parser, TOKEN_PAREN_CLOSE)) {
        struct argument *argument = parser_append(parser, &arguments, sizeof *argument);
        if (!argument || !parse_argument(builder, argument) || !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
    }
    statement->arguments = arguments.items;
    statement->argument_count = arguments.count;
    return parser_close(parser, TOKEN_PAREN_CLOSE, &open);
}

bool parse_launch(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    struct token open;
    statement->kind = STATEMENT_LAUNCH;
    if (!parse_kernel_name(builder, statement))
        return false;
    open = parser->token;
    if (!parser_expect(parser, TOKEN_LAUNCH_OPEN) || !parse_dimensions(builder, statement->grid) ||
        !parser_expect(parser, TOKEN_COMMA) || !parse_dimensions(builder, statement->block) ||
        !parse_launch_attributes(builder, statement))
        return false;
    return parser_close(parser, TOKEN_LAUNCH_CLOSE, &open) && parse_arguments(builder, statement);
}
