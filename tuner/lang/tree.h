/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.h - construction of syntax trees. All nodes are made here, which limits their height.
 */
#ifndef TUNE_LANG_TREE_H
#define TUNE_LANG_TREE_H

#include "tuner/lang/parser.h"

/* A node with its items; messages point at `token`. Fails if the tree becomes higher than HEIGHT_LIMIT. */
struct node *tree_node(struct parser *parser, enum node_kind kind, const struct token *token,
                       struct node *const *items, size_t count);

/* A constant; takes the current token, which stands for it. */
struct node *tree_constant(struct parser *parser, struct value value);

/* A name that stands for a slot. */
struct node *tree_name(struct parser *parser, const struct token *token, size_t slot);

/* Returns `node`, or NULL with an error if it is a list. NULL is passed through. */
struct node *tree_single(struct parser *parser, struct node *node);

/* Where messages about the node point. */
struct place tree_place(const struct parser *parser, const struct node *node);

#endif
