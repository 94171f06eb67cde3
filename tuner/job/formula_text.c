/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/formula_text.h"

#include "tuner/job/formula.h"
#include "tuner/lang/node.h"
#include "tuner/lang/scope.h"

#include <stdlib.h>
#include <string.h>

/* The names in an expression, in the order in which they stand there. */
struct names {
    const struct node **nodes;
    size_t count, capacity;
};

static bool collect(struct names *names, const struct node *node)
{
    if (node->kind == NODE_NAME) {
        if (names->count == names->capacity) {
            size_t capacity = names->capacity ? 2 * names->capacity : 16;
            const struct node **longer = realloc(names->nodes, capacity * sizeof *longer);
            if (!longer)
                return false;
            names->nodes = longer;
            names->capacity = capacity;
        }
        names->nodes[names->count++] = node;
    }
    for (uint32_t i = 0; i < node->count; i++) {
        if (!collect(names, node->items[i]))
            return false;
    }
    return true;
}

static int by_offset(const void *a, const void *b)
{
    const struct node *const *first = a, *const *second = b;
    return ((*first)->offset > (*second)->offset) - ((*first)->offset < (*second)->offset);
}

struct writing {
    const struct lowering *lowering;
    const struct expr *whole; /* for errors */
    FILE *out;
    size_t length;
};

static bool put(struct writing *w, const char *text, size_t length)
{
    w->length += length;
    if (w->length > FORMULA_TEXT_LIMIT)
        return error_at(
            w->lowering->error, ERROR_INPUT, expr_place(w->whole),
            "with its lets this expression has more than %d bytes, which is too long for one that depends "
            "on counts",
            FORMULA_TEXT_LIMIT);
    fwrite(text, 1, length, w->out); /* a failure shows when the stream is closed */
    return true;
}

static bool put_value(struct writing *w, struct value value)
{
    size_t length = value_text(value, NULL, 0);
    char *text = malloc(length + 1);
    if (!text)
        return lowering_out_of_memory(w->lowering);
    value_text(value, text, length + 1);
    bool negative = text[0] == '-';
    bool done = put(w, "(", negative) && put(w, text, length) && put(w, ")", negative);
    free(text);
    return done;
}

static const struct let_declaration *find_let(const struct lowering *lowering, size_t slot)
{
    const struct template *template = lowering->template;
    for (size_t i = 0; i < template->let_count; i++) {
        if (template->lets[i].slot == slot)
            return &template->lets[i];
    }
    return NULL;
}

static bool put_expression(struct writing *w, const struct text *text, const struct node *root, size_t start,
                           size_t end);

static bool put_name(struct writing *w, size_t slot)
{
    const struct lowering *lowering = w->lowering;
    const struct scope *scope = lowering->template->scope;
    const char *name = scope_name(scope, slot);
    size_t ignored;
    if (lowering->slots[slot].kind != VALUE_UNSET)
        return put_value(w, lowering->slots[slot]);
    const struct let_declaration *let = lowering->late->known[slot] ? NULL : find_let(lowering, slot);
    if (let)
        return put_expression(w, let->value->text, let->value->root, let->value->offset,
                              let->value->offset + let->value->length);
    return formula_name(lowering->job, name, scope_kind(scope, slot), &ignored, lowering->error) &&
           put(w, name, strlen(name));
}

static bool put_parts(struct writing *w, const struct text *text, const struct names *names, size_t start, size_t end)
{
    for (size_t i = 0; i < names->count; i++) {
        const struct node *node = names->nodes[i];
        if (!put(w, text->data + start, node->offset - start) || !put_name(w, node->slot))
            return false;
        start = node->offset + node->length;
    }
    return put(w, text->data + start, end - start);
}

static bool put_expression(struct writing *w, const struct text *text, const struct node *root, size_t start,
                           size_t end)
{
    struct names names = {0};
    bool done = collect(&names, root) || lowering_out_of_memory(w->lowering);
    if (done && names.count > 0)
        qsort(names.nodes, names.count, sizeof(const struct node *), by_offset);
    done = done && put(w, "(", 1) && put_parts(w, text, &names, start, end) && put(w, ")", 1);
    free(names.nodes);
    return done;
}

bool formula_text_write(const struct lowering *lowering, const struct expr *expr, const struct node *item, FILE *out)
{
    struct writing writing = {.lowering = lowering, .whole = expr, .out = out};
    return item ? put_expression(&writing, expr->text, item, item->start, item->end)
                : put_expression(&writing, expr->text, expr->root, expr->offset, expr->offset + expr->length);
}
