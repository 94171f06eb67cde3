/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/size.h"
#include "tuner/lang/expression.h"

bool parse_size(struct builder *builder)
{
    struct parser *parser = &builder->parser;
    struct size_declaration *size = parser_append(parser, &builder->sizes, sizeof *size);
    struct token name;
    if (!size || !parser_new_name(parser, "the name of a size", &name) || !parser_expect(parser, TOKEN_ASSIGN) ||
        !parse_expression(parser, &size->value))
        return false;
    if (!expression_uses_only(parser, size->value, USES_DEVICE | USES_SIZES, "the default of a size"))
        return error_hint(parser->error, "it may use device fields and sizes declared earlier");
    if (!parser_declare(parser, &name, NAME_SIZE, &size->slot))
        return false;
    size->name = scope_name(parser->scope, size->slot);
    return true;
}

/* The slots of sizes ascend. */
static struct size_declaration *size_of_slot(const struct builder *builder, size_t slot)
{
    struct size_declaration *sizes = builder->sizes.items;
    size_t low = 0, high = builder->sizes.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sizes[middle].slot == slot)
            return &sizes[middle];
        if (sizes[middle].slot < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool not_a_size(struct builder *builder, const struct token *token, const char *name)
{
    struct parser *parser = &builder->parser;
    error_at(parser->error, ERROR_INPUT, text_place(parser->text, token->offset, token->length), "unknown size %s",
             name);
    return parser_hint_nearest(parser, SYMBOL_VALUE, name);
}

/* Awkward sizes are evaluated in order of declaration: neither the size itself nor a later one may be used. */
static bool reads_from_slot(const struct node *node, const void *context)
{
    const size_t *slot = context;
    return node->kind == NODE_NAME && node->operation == NAME_SIZE && node->slot >= *slot;
}

static bool parse_awkward_value(struct builder *builder, struct size_declaration *size)
{
    struct parser *parser = &builder->parser;
    if (!parse_expression(parser, &size->awkward))
        return false;
    const struct node *late = node_find(size->awkward->root, reads_from_slot, &size->slot);
    if (late)
        error_at(parser->error, ERROR_INPUT, text_place(parser->text, late->offset, late->length),
                 "the awkward size of %s cannot depend on %s", size->name, scope_name(parser->scope, late->slot));
    if (late || !expression_uses_only(parser, size->awkward, USES_DEVICE | USES_SIZES, "an awkward size"))
        return error_hint(parser->error, "it may use device fields and sizes declared earlier");
    return true;
}

/* The name of a size that was declared before. */
static struct size_declaration *parse_declared_size(struct builder *builder, struct token *token)
{
    struct parser *parser = &builder->parser;
    const char *name;
    size_t slot;
    if (!parser_name(parser, "the name of a size", &name, token))
        return NULL;
    struct size_declaration *size = scope_find(parser->scope, name, &slot) ? size_of_slot(builder, slot) : NULL;
    if (!size)
        not_a_size(builder, token, name);
    return size;
}

typedef bool use_size(struct builder *builder, struct size_declaration *size, struct place place);

/* One declared size or several, separated by commas, each handed to `use`. */
static bool parse_declared_sizes(struct builder *builder, use_size *use)
{
    struct parser *parser = &builder->parser;
    bool comma = true;
    while (comma) {
        struct token token;
        struct size_declaration *size = parse_declared_size(builder, &token);
        if (!size || !use(builder, size, text_place(parser->text, token.offset, token.length)) ||
            !parser_accept(parser, TOKEN_COMMA, &comma))
            return false;
    }
    return true;
}

/* A size is not both: what follows from others does so at the awkward size as well. */
static bool refuse_awkward(struct builder *builder, const struct size_declaration *size, struct place place)
{
    error_at(builder->parser.error, ERROR_INPUT, place, "%s is derived, so it has no awkward size of its own",
             size->name);
    return error_hint(builder->parser.error, "it follows from the awkward sizes that its value reads");
}

static bool parse_awkward_size(struct builder *builder, struct size_declaration *size, struct place place)
{
    struct parser *parser = &builder->parser;
    if (size->awkward)
        return error_at(parser->error, ERROR_INPUT, place, "%s already has an awkward size", size->name);
    if (size->derived)
        return refuse_awkward(builder, size, place);
    return parser_expect(parser, TOKEN_ASSIGN) && parse_awkward_value(builder, size);
}

static bool define_size(struct builder *builder, struct size_declaration *size, struct place place)
{
    if (size->defined)
        return error_at(builder->parser.error, ERROR_INPUT, place, "%s is a macro already", size->name);
    size->defined = true;
    return true;
}

bool parse_awkward(struct builder *builder)
{
    return parse_declared_sizes(builder, parse_awkward_size);
}

bool parse_define(struct builder *builder)
{
    return parse_declared_sizes(builder, define_size);
}

bool parse_derived_size(struct builder *builder, size_t *slot)
{
    struct token token;
    struct size_declaration *size = parse_declared_size(builder, &token);
    if (!size)
        return false;
    const struct place place = text_place(builder->parser.text, token.offset, token.length);
    if (size->derived)
        return error_at(builder->parser.error, ERROR_INPUT, place, "%s belongs to a matrix already", size->name);
    if (size->awkward)
        return refuse_awkward(builder, size, place);
    size->derived = true;
    *slot = size->slot;
    return true;
}
