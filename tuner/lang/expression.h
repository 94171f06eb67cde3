/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expression.h - the parser of expressions. GRAMMAR.md has their grammar.
 */
#ifndef TUNE_LANG_EXPRESSION_H
#define TUNE_LANG_EXPRESSION_H

#include "tuner/lang/parser.h"

/* Parse an expression: a single value; a list; or either, for shapes that may be tuples. */
bool parse_expression(struct parser *parser, const struct expr **expr);
bool parse_list(struct parser *parser, const struct expr **expr);
bool parse_any(struct parser *parser, const struct expr **expr);

/* Parse an expression without comparisons, logic and bitwise operators: what may follow the + of `buffer + offset`.
 */
bool parse_sum(struct parser *parser, const struct expr **expr);

/* Parse `a` or `a, b, ...`: each is one of the `dimensions` (const struct expr *), and `product` all of them
 * multiplied. */
bool parse_product(struct parser *parser, const struct expr **product, struct list *dimensions);

/* An item of a list as an expression of its own. */
const struct expr *expression_item(struct parser *parser, const struct expr *expr, size_t item);

enum { USES_DEVICE = 1 << NAME_DEVICE, USES_SIZES = 1 << NAME_SIZE };

/* Fail unless the expression uses names of these kinds only (1 << enum name_kind): "`who` cannot depend on NAME". */
bool expression_uses_only(struct parser *parser, const struct expr *expr, unsigned kinds, const char *who);

/* Parse a whole text as one expression, a value or a list. The text must outlive it: errors point into it. */
bool expression_parse(const struct text *text, struct arena *arena, struct scope *scope, const struct expr **expr,
                      struct error *error);

/*
 * For the modules that parse what is inside brackets (primary.c, comprehension.c): the tree of one item, a value or a
 * list; and of the expression of a comprehension's clause, which ends before an `if` that begins the next clause.
 */
struct node *parse_item(struct parser *parser);
struct node *parse_clause(struct parser *parser);

#endif
