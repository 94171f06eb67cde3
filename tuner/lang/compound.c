/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/compound.h"
#include "tuner/lang/expression.h"
#include "tuner/lang/structure.h"

/* An argument whose parts are parsed. */
struct compound {
    struct builder *builder;
    parse_pointer_argument *parse_pointer;
    struct list parts; /* struct argument */
};

static bool parse_value(struct compound *c, const struct type *type, size_t at);

/* `1`, or with its type written around it, `half(1)` */
static bool parse_number(struct compound *c, const struct type *type, struct argument *part)
{
    struct parser *parser = &c->builder->parser;
    const struct type *written = NULL;
    part->kind = ARGUMENT_SCALAR;
    part->typed = true;
    part->element = type->layout->leaves[0].element;
    if (parser_peek(parser) == TOKEN_PAREN_OPEN && !find_type(c->builder, &written))
        return false;
    if (!written || written->kind != TYPE_NUMBER || written->layout != type->layout)
        return parse_expression(parser, &part->value);
    if (!parser_advance(parser))
        return false;
    struct token open = parser->token;
    return parser_expect(parser, TOKEN_PAREN_OPEN) && parse_expression(parser, &part->value) &&
           parser_close(parser, TOKEN_PAREN_CLOSE, &open);
}

/* A buffer, or 0 */
static bool parse_address(struct compound *c, struct argument *part)
{
    struct parser *parser = &c->builder->parser;
    bool taken;
    if (!c->parse_pointer(c->builder, part, &taken))
        return false;
    if (taken)
        return true;
    part->kind = ARGUMENT_SCALAR;
    part->typed = true;
    part->element = ELEMENT_ULONG;
    if (!parser_at(parser, TOKEN_INTEGER) || parser->token.integer != 0)
        return parser_expected(parser, "a buffer or 0 for a pointer");
    return parse_expression(parser, &part->value);
}

static bool parse_part(struct compound *c, const struct type *type, size_t at)
{
    struct parser *parser = &c->builder->parser;
    struct argument *part = parser_append(parser, &c->parts, sizeof *part);
    size_t start = parser->token.offset;
    if (!part)
        return false;
    part->at = at;
    if (!(type->kind == TYPE_POINTER ? parse_address(c, part) : parse_number(c, type, part)))
        return false;
    part->place = text_place(parser->text, start, parser->end - start);
    return true;
}

static bool too_few(struct parser *parser, const char *name, size_t count, const char *what)
{
    parser_fail(parser, "%s has %zu %s%s", name, count, what, count == 1 ? "" : "s");
    return error_hint(parser->error, "give a value for each of them, in order");
}

/* `[a, b, c]` */
static bool parse_array(struct compound *c, const struct field *field, size_t at)
{
    struct parser *parser = &c->builder->parser;
    struct token open = parser->token;
    if (!parser_at(parser, TOKEN_BRACKET_OPEN)) {
        parser_expected(parser, "'['");
        return error_hint(parser->error, "field %s is an array of %zu: write its values as [a, b, ...]", field->name,
                          field->length);
    }
    if (!parser_advance(parser))
        return false;
    for (size_t i = 0; i < field->length; i++) {
        if (i > 0 && parser_at(parser, TOKEN_BRACKET_CLOSE))
            return too_few(parser, field->name, field->length, "element");
        if ((i > 0 && !parser_expect(parser, TOKEN_COMMA)) ||
            !parse_value(c, field->type, at + i * field->type->layout->bytes))
            return false;
    }
    if (parser_at(parser, TOKEN_COMMA))
        return too_few(parser, field->name, field->length, "element");
    return parser_close(parser, TOKEN_BRACKET_CLOSE, &open);
}

/* `(a, b, c)` */
static bool parse_fields(struct compound *c, const struct type *type, size_t at)
{
    struct parser *parser = &c->builder->parser;
    struct token open = parser->token;
    const char *what = type->kind == TYPE_VECTOR ? "component" : "field";
    if (!parser_expect(parser, TOKEN_PAREN_OPEN))
        return false;
    for (size_t i = 0; i < type->field_count; i++) {
        const struct field *field = &type->fields[i];
        if (parser_at(parser, TOKEN_PAREN_CLOSE))
            return too_few(parser, type->layout->name, type->field_count, what);
        if ((i > 0 && !parser_expect(parser, TOKEN_COMMA)) ||
            !(field->length ? parse_array(c, field, at + field->offset)
                            : parse_value(c, field->type, at + field->offset)))
            return false;
    }
    if (parser_at(parser, TOKEN_COMMA))
        return too_few(parser, type->layout->name, type->field_count, what);
    return parser_close(parser, TOKEN_PAREN_CLOSE, &open);
}

static bool parse_value(struct compound *c, const struct type *type, size_t at)
{
    struct parser *parser = &c->builder->parser;
    if (type->kind == TYPE_NUMBER || type->kind == TYPE_POINTER)
        return parse_part(c, type, at);
    if (!parser_at_word(parser, type->layout->name)) {
        char what[NAME_LENGTH_LIMIT + 8];
        snprintf(what, sizeof what, "%s(...)", type->layout->name);
        return parser_expected(parser, what);
    }
    if (!parser_advance(parser) || !parser_enter(parser))
        return false;
    bool done = parse_fields(c, type, at);
    parser_leave(parser);
    return done;
}

bool parse_compound(struct builder *builder, const struct type *type, parse_pointer_argument *parse_pointer,
                    struct argument *argument)
{
    struct compound compound = {.builder = builder, .parse_pointer = parse_pointer};
    argument->kind = ARGUMENT_COMPOUND;
    argument->type = type;
    if (!parse_value(&compound, type, 0))
        return false;
    argument->parts = compound.parts.items;
    argument->part_count = compound.parts.count;
    return true;
}
