/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comprehension.h - the parser of comprehensions: [16 * i for i in range(1, 9) if i != 3].
 *
 * The element comes before the clauses that bind the names in it, so the clauses are parsed first. The variables of a
 * comprehension are visible only inside it and take no slots in the scope.
 */
#ifndef TUNE_LANG_COMPREHENSION_H
#define TUNE_LANG_COMPREHENSION_H

#include "tuner/lang/parser.h"

/* A variable of a comprehension being parsed; innermost first. */
struct bound_name {
    struct token token;
    unsigned level; /* as in NODE_BOUND */
    const struct bound_name *outer;
};

/* The comprehension variable that the token names, or NULL. */
const struct bound_name *bound_find(const struct parser *parser, const struct token *token);

/* Is there a `for` between the opening bracket, already taken, and its closing one? Nested brackets do not count. */
bool comprehension_ahead(const struct parser *parser);

/* Parse up to and including the closing bracket. */
struct node *parse_comprehension(struct parser *parser, enum token_kind close, const struct token *open);

#endif
