/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expression.h - the parser of expressions. GRAMMAR.md has their grammar.
 */
#ifndef TUNE_LANG_EXPRESSION_H
#define TUNE_LANG_EXPRESSION_H

#include "tuner/lang/parser.h"

/* Expressions (expression.c). Of a single value; of a list; or of either, where a tuple has a meaning of its own. */
bool parse_expression(struct parser *parser, const struct expr **expr);
bool parse_list(struct parser *parser, const struct expr **expr);
bool parse_any(struct parser *parser, const struct expr **expr);

/* An expression without comparisons, and, or, not, if: what may follow the + of `buffer + offset`. */
bool parse_sum(struct parser *parser, const struct expr **expr);

/* The i-th part of an expression as an expression of its own. */
const struct expr *expression_item(struct parser *parser, const struct expr *expr, size_t item);

/* Fail unless all names that the expression reads are of these kinds (bits 1 << enum name_kind). `who` may read. */
bool expression_reads_only(struct parser *parser, const struct expr *expr, unsigned kinds, const char *who);

/* A whole text that is one expression (of a value or a list). The text must outlive it: errors have their place
 * there. */
bool expression_parse(const struct text *text, struct arena *arena, struct scope *scope, const struct expr **expr,
                      struct error *error);

/*
 * For the modules that parse what is inside brackets (primary.c, comprehension.c): the tree of one item, a value or a
 * list; and of the expression of a comprehension's clause, which ends before an `if` that begins the next clause.
 */
struct node *parse_item(struct parser *parser);
struct node *parse_clause(struct parser *parser);

#endif
