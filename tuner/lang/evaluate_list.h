/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evaluate_list.h - lists are never stored: their values are computed one by one and passed to a visitor.
 */
#ifndef TUNE_LANG_EVALUATE_LIST_H
#define TUNE_LANG_EVALUATE_LIST_H

#include "tuner/lang/evaluate.h"

enum {
    LIST_LIMIT = 1 << 20, /* values of one list */
    STEP_LIMIT = 1 << 22, /* of the comprehensions in an expression, whatever their conditions discard */
};

/* Called with each value of a list; returns false after setting the error. */
typedef bool visitor(void *context, struct value value);

bool visit_list(const struct evaluator *e, const struct node *node, visitor *visit, void *context);

/* Is `wanted` in the list? */
bool list_contains(const struct evaluator *e, const struct node *list, struct value wanted, bool *contains);

#endif
