/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/tree.h"

static bool limit_height(struct parser *parser, struct node *node, unsigned height)
{
    node->height = (uint16_t)height;
    if (height <= HEIGHT_LIMIT)
        return true;
    error_at(parser->error, ERROR_INPUT, text_place(parser->text, node->offset, node->length),
             "this expression nests more than %d operations, counting those in its lets", HEIGHT_LIMIT);
    return error_hint(parser->error, "group the terms of a long sum in parentheses, or shorten the chain of lets");
}

struct node *tree_node(struct parser *parser, enum node_kind kind, const struct token *token,
                       struct node *const *items, size_t count)
{
    struct node *node = parser_allocate(parser, sizeof *node + count * sizeof *items);
    if (!node)
        return NULL;
    unsigned height = 0;
    for (size_t i = 0; i < count; i++) {
        node->items[i] = items[i];
        if (items[i]->height > height)
            height = items[i]->height;
    }
    node->kind = (uint8_t)kind;
    node->count = (uint32_t)count;
    node->offset = (uint32_t)token->offset;
    node->length = (uint32_t)token->length;
    return limit_height(parser, node, height + 1) ? node : NULL;
}

struct place tree_place(const struct parser *parser, const struct node *node)
{
    return text_place(parser->text, node->offset, node->length);
}

struct node *tree_single(struct parser *parser, struct node *node)
{
    if (!node || !node->is_list)
        return node;
    error_at(parser->error, ERROR_INPUT, tree_place(parser, node), "a list cannot be used as a value");
    error_hint(parser->error,
               "a list may follow `in`, be the argument of min, max or list, or give the values of a param");
    return NULL;
}

struct node *tree_constant(struct parser *parser, struct value value)
{
    struct node *node = tree_node(parser, NODE_CONSTANT, &parser->token, NULL, 0);
    if (!node || !parser_advance(parser))
        return NULL;
    node->constant = value;
    return node;
}

struct node *tree_name(struct parser *parser, const struct token *token, size_t slot)
{
    struct node *node = tree_node(parser, NODE_NAME, token, NULL, 0);
    if (!node)
        return NULL;
    node->slot = slot;
    node->operation = (uint8_t)scope_kind(parser->scope, slot);
    return limit_height(parser, node, 1 + scope_height(parser->scope, slot)) ? node : NULL;
}
