/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evaluate.h - evaluation, a walk of the tree: what its two halves share, values (evaluate.c) and lists
 * (evaluate_list.c). It allocates nothing; its depth is that of the tree, which the parser limits.
 */
#ifndef TUNE_LANG_EVALUATE_H
#define TUNE_LANG_EVALUATE_H

#include "tuner/lang/node.h"

/* The value of a comprehension's name, the innermost first. */
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
    uint32_t *steps; /* taken by comprehensions */
};

bool evaluate(const struct evaluator *e, const struct node *node, struct value *result);

/* The side of `a if c else b` that its condition chooses. */
bool evaluate_choice(const struct evaluator *e, const struct node *node, const struct node **chosen);

struct place evaluator_place(const struct evaluator *e, const struct node *node);

#endif
