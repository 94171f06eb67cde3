/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comprehension.h - [16 * i for i in range(1, 9) if i != 3]: lists by a rule, as in Python.
 *
 * The element stands before the names that it reads are known, so its clauses are parsed first. Names of a
 * comprehension end with it; they take no slots of the scope.
 */
#ifndef TUNE_LANG_COMPREHENSION_H
#define TUNE_LANG_COMPREHENSION_H

#include "tuner/lang/parser.h"

/* A name of a comprehension that is being parsed, the innermost first. */
struct bound_name {
    struct token token;
    unsigned level; /* as in NODE_BOUND */
    const struct bound_name *outer;
};

/* The bound name of this token, or NULL. */
const struct bound_name *bound_find(const struct parser *parser, const struct token *token);

/* Does what stands between this bracket, already taken, and its end have a `for` of its own? */
bool comprehension_ahead(const struct parser *parser);

/* Up to the closing bracket, which is taken. */
struct node *parse_comprehension(struct parser *parser, enum token_kind close, const struct token *open);

#endif
