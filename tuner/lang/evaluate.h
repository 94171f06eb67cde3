/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evaluate.h - evaluation, a walk over the tree. Values are evaluated in evaluate.c, lists in
 * evaluate_list.c. It allocates nothing; its depth is the height of the tree, which the parser limits.
 */
#ifndef TUNE_LANG_EVALUATE_H
#define TUNE_LANG_EVALUATE_H

#include "tuner/lang/node.h"

/* The value of a comprehension variable; innermost first. */
struct binding {
    size_t level;
    struct value value;
    const struct binding *outer;
};

struct evaluator {
    const struct text *text;
    const struct value *slots;
    struct error *error;
    const struct binding *bindings;
    uint32_t *steps; /* taken by comprehensions so far */
};

bool evaluate(const struct evaluator *e, const struct node *node, struct value *result);

/* Evaluate the condition of `a if c else b` and choose a side. */
bool evaluate_choice(const struct evaluator *e, const struct node *node, const struct node **chosen);

struct place evaluator_place(const struct evaluator *e, const struct node *node);

#endif
