/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/launch_attributes.h"
#include "tuner/lang/condition.h"
#include "tuner/lang/expression.h"

#include <string.h>

bool parse_dimensions(struct builder *builder, const struct expr *dimensions[3])
{
    struct parser *parser = &builder->parser;
    const struct expr *expr;
    if (!parse_any(parser, &expr))
        return false;
    if (!expr->root->is_list) {
        dimensions[0] = expr;
        return true;
    }
    if (!expr->root->is_tuple || expr->root->count > 3) {
        error_at(parser->error, ERROR_INPUT, expr_place(expr),
                 "a grid, block or cluster must be x, (x, y) or (x, y, z)");
        return false;
    }
    for (uint32_t i = 0; i < expr->root->count; i++) {
        dimensions[i] = expression_item(parser, expr, i);
        if (!dimensions[i])
            return false;
    }
    return true;
}

/* A switch, and the condition that may follow it. */
static bool parse_switch(struct builder *builder, bool *given, const struct expr **condition)
{
    bool conditional;
    *given = true;
    return parser_accept(&builder->parser, TOKEN_ASSIGN, &conditional) &&
           (!conditional || parse_condition(&builder->parser, condition));
}

static bool parse_cooperative(struct builder *builder, struct launch_attributes *attributes)
{
    return parse_switch(builder, &attributes->cooperative, &attributes->cooperative_if);
}

static bool parse_host(struct builder *builder, struct launch_attributes *attributes)
{
    builder->template->hosted = true;
    return parse_switch(builder, &attributes->host, &attributes->host_if);
}

static bool parse_cluster(struct builder *builder, struct launch_attributes *attributes)
{
    return parser_expect(&builder->parser, TOKEN_ASSIGN) && parse_dimensions(builder, attributes->cluster);
}

static bool parse_stream_value(struct builder *builder, struct launch_attributes *attributes)
{
    return parser_expect(&builder->parser, TOKEN_ASSIGN) && parse_expression(&builder->parser, &attributes->stream);
}

static bool parse_launches(struct builder *builder, struct launch_attributes *attributes)
{
    return parser_expect(&builder->parser, TOKEN_ASSIGN) && parse_expression(&builder->parser, &attributes->launches);
}

static const struct {
    const char *word;
    bool valued; /* = follows always */
    bool (*parse)(struct builder *builder, struct launch_attributes *attributes);
} known[] = {
    {"cooperative", false, parse_cooperative}, {"host", false, parse_host},        {"cluster", true, parse_cluster},
    {"stream", true, parse_stream_value},      {"launches", true, parse_launches},
};

enum { KNOWN = sizeof known / sizeof *known };

/* At an attribute rather than at the dynamic shared memory? */
static bool at_attribute(const struct parser *parser)
{
    const char *name = parser->text->data + parser->token.offset;
    if (!parser_at(parser, TOKEN_NAME))
        return false;
    bool is_switch = parser_at_word(parser, "cooperative") || parser_at_word(parser, "host");
    return parser_peek(parser) == TOKEN_ASSIGN ||
           (is_switch && !scope_symbol(parser->scope, name, parser->token.length));
}

static bool unknown_attribute(struct parser *parser)
{
    char name[NAME_LENGTH_LIMIT + 1] = "";
    const char *words[KNOWN];
    for (size_t i = 0; i < KNOWN; i++)
        words[i] = known[i].word;
    if (!parser_at(parser, TOKEN_NAME))
        return parser_expected(parser, "an attribute");
    memcpy(name, parser->text->data + parser->token.offset, parser->token.length);
    const char *nearest = error_nearest(name, words, KNOWN);
    parser_fail(parser, "a launch has no attribute %s", name);
    if (nearest)
        return error_hint(parser->error, "did you mean %s?", nearest);
    return error_hint(parser->error,
                      "the attributes are cooperative, host, cluster = (x, y, z), stream = n and launches = n");
}

static bool parse_attribute(struct builder *builder, struct launch_attributes *attributes, unsigned *given)
{
    struct parser *parser = &builder->parser;
    size_t i = 0;
    while (i < KNOWN && !parser_at_word(parser, known[i].word))
        i++;
    if (i == KNOWN)
        return unknown_attribute(parser);
    if (*given & 1u << i)
        return parser_fail(parser, "%s is given twice", known[i].word);
    *given |= 1u << i;
    return parser_advance(parser) && known[i].parse(builder, attributes);
}

bool parse_launch_attributes(struct builder *builder, struct statement *statement)
{
    struct parser *parser = &builder->parser;
    struct launch_attributes *attributes = &statement->attributes;
    unsigned given = 0;
    bool comma, first = true;
    while (parser_accept(parser, TOKEN_COMMA, &comma) && comma) {
        bool shared = first && !at_attribute(parser);
        first = false;
        if (shared ? !parse_expression(parser, &statement->shared) : !parse_attribute(builder, attributes, &given))
            return false;
    }
    return !comma;
}

bool parse_stream(struct builder *builder, const struct expr **stream)
{
    struct parser *parser = &builder->parser;
    bool comma;
    return parser_accept(parser, TOKEN_COMMA, &comma) &&
           (!comma || (parser_expect_word(parser, "stream") && parser_expect(parser, TOKEN_ASSIGN) &&
                       parse_expression(parser, stream)));
}
