/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/node.h"

const struct node *node_find(const struct node *node, bool (*test)(const struct node *node, const void *context),
                             const void *context)
{
    if (test(node, context))
        return node;
    for (uint32_t i = 0; i < node->count; i++) {
        const struct node *found = node_find(node->items[i], test, context);
        if (found)
            return found;
    }
    return NULL;
}

static bool reads_slot(const struct node *node, const void *context)
{
    const size_t *slot = context;
    return node->kind == NODE_NAME && node->slot == *slot;
}

bool expr_uses(const struct expr *expr, size_t slot)
{
    return node_find(expr->root, reads_slot, &slot) != NULL;
}

static void mark(const struct node *node, bool *marked)
{
    if (node->kind == NODE_NAME)
        marked[node->slot] = true;
    for (uint32_t i = 0; i < node->count; i++)
        mark(node->items[i], marked);
}

void expr_mark(const struct expr *expr, bool *marked)
{
    mark(expr->root, marked);
}

struct kind_test {
    const struct scope *scope;
    enum name_kind kind;
};

static bool reads_kind(const struct node *node, const void *context)
{
    const struct kind_test *test = context;
    return node->kind == NODE_NAME && scope_kind(test->scope, node->slot) == test->kind;
}

bool expr_uses_kind(const struct expr *expr, const struct scope *scope, enum name_kind kind)
{
    struct kind_test test = {scope, kind};
    return node_find(expr->root, reads_kind, &test) != NULL;
}

bool expr_is_name(const struct expr *expr, size_t *slot)
{
    if (expr->root->kind != NODE_NAME)
        return false;
    *slot = expr->root->slot;
    return true;
}

struct place expr_place(const struct expr *expr)
{
    return text_place(expr->text, expr->offset, expr->length);
}
