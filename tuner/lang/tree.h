/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h - making the nodes of a tree. The parsers of expressions make all of theirs here, where heights are limited.
 */
#ifndef TUNE_LANG_TREE_H
#define TUNE_LANG_TREE_H

#include "tuner/lang/parser.h"

/* A node with its items; messages point at `token`. Fails if the tree becomes higher than HEIGHT_LIMIT. */
struct node *tree_node(struct parser *parser, enum node_kind kind, const struct token *token,
                       struct node *const *items, size_t count);

/* The node of a constant that the current token stands for, which is taken. */
struct node *tree_constant(struct parser *parser, struct value value);

/* The node of a visible value's name. */
struct node *tree_name(struct parser *parser, const struct token *token, size_t slot);

/* `node` itself, unless it is a list: then an error and NULL. NULL is passed on. */
struct node *tree_single(struct parser *parser, struct node *node);

/* The place that messages about the node point at. */
struct place tree_place(const struct parser *parser, const struct node *node);

#endif
