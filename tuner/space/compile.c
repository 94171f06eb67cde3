/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/compile.h"

#include "tuner/space/slots.h"
#include "tuner/space/term_make.h"

#include <stdlib.h>
#include <string.h>

static term_id compile(struct compilation *c, const struct node *node);

bool compilation_start(struct compilation *compilation, struct terms *terms, const struct template *template,
                       const struct space *space, const struct value *base, size_t slot_count)
{
    *compilation = (struct compilation){.terms = terms,
                                        .template = template,
                                        .space = space,
                                        .base = base,
                                        .slot_count = slot_count,
                                        .names = malloc((slot_count + 1) * sizeof *compilation->names),
                                        .lets = calloc(slot_count + 1, sizeof(struct let_declaration *)),
                                        .marked = calloc(slot_count + 1, sizeof *compilation->marked)};
    if (!compilation->names || !compilation->lets || !compilation->marked)
        return false;
    for (size_t i = 0; i < slot_count; i++)
        compilation->names[i] = TERM_NONE;
    size_t count = slots_let_count(template, space);
    for (size_t i = 0; i < count; i++)
        compilation->lets[slots_let(template, space, i)->slot] = slots_let(template, space, i);
    return true;
}

void compilation_end(struct compilation *compilation)
{
    free(compilation->names);
    free(compilation->lets);
    free(compilation->marked);
}

static bool is_operand(const struct compilation *c, size_t slot)
{
    return c->marked[slot] && c->names[slot] != TERM_NONE && scope_kind(c->space->scope, slot) == NAME_PARAMETER;
}

/* What the expression reads: parameters, which become operands, and lets in the order of their slots, which is that
 * of their declarations. */
static bool list_reads(struct compilation *c, struct foreign *foreign, term_id **operands, size_t *count)
{
    size_t parameters = 0, lets = 0;
    memset(c->marked, 0, c->slot_count * sizeof *c->marked);
    slots_mark(c->template, c->space, &foreign->expr, c->marked);
    for (size_t slot = 0; slot < c->slot_count; slot++) {
        parameters += is_operand(c, slot);
        lets += c->marked[slot] && c->lets[slot];
    }
    size_t *slots = calloc(parameters + 1, sizeof *slots);
    foreign->slots = slots;
    foreign->lets = calloc(lets + 1, sizeof(struct let_declaration *));
    *operands = calloc(parameters + 1, sizeof **operands);
    if (!slots || !foreign->lets || !*operands)
        return false;
    for (size_t slot = 0; slot < c->slot_count; slot++) {
        if (is_operand(c, slot)) {
            slots[*count] = slot;
            (*operands)[(*count)++] = (term_id)c->names[slot];
        }
        if (c->marked[slot] && c->lets[slot])
            foreign->lets[foreign->let_count++] = c->lets[slot];
    }
    return true;
}

/* A term that leaves the expression to the evaluator; its operands are the parameters that the expression reads. */
static term_id compile_foreign(struct compilation *c, const struct node *node)
{
    if (!c->scratch)
        c->scratch = term_add_scratch(c->terms, c->base, c->slot_count);
    struct foreign foreign = {.expr = {.root = node, .text = c->text, .offset = node->offset, .length = node->length},
                              .scratch = c->scratch};
    term_id *operands = NULL, id = 0;
    size_t count = 0;
    if (c->scratch && list_reads(c, &foreign, &operands, &count)) {
        id = term_foreign(c->terms, &foreign, operands, count);
    } else {
        c->terms->failed = true;
        free((size_t *)foreign.slots);
        free(foreign.lets);
    }
    free(operands);
    return id;
}

static term_id compile_name(struct compilation *c, size_t slot)
{
    if (c->names[slot] != TERM_NONE)
        return (term_id)c->names[slot];
    const struct let_declaration *let = c->lets[slot];
    term_id id = let ? compile_expression(c, let->value) : term_constant(c->terms, c->base[slot]);
    c->names[slot] = id;
    return id;
}

/* The operands of a node that may have any number of them. */
struct collection {
    term_id *items;
    size_t count, capacity;
};

static bool collect(struct compilation *c, struct collection *collection, term_id id)
{
    if (collection->count == collection->capacity) {
        size_t capacity = collection->capacity ? 2 * collection->capacity : 16;
        term_id *items = realloc(collection->items, capacity * sizeof *items);
        if (!items) {
            c->terms->failed = true;
            return false;
        }
        collection->items = items;
        collection->capacity = capacity;
    }
    collection->items[collection->count++] = id;
    return true;
}

static term_id choice(struct compilation *c, term_id condition, term_id if_true, term_id if_false)
{
    const term_id operands[] = {term_truth(c->terms, condition), if_true, if_false};
    return term_make(c->terms, TERM_CHOICE, 0, operands, 3);
}

static bool is_truth(const struct compilation *c, term_id id)
{
    return term_is_truth(&c->terms->items[id]);
}

/* If all operands are truths, so is the whole; else its value is one of the operands. Each operand is compiled only
 * once, or deep nesting would take exponential time. */
static term_id compile_logic(struct compilation *c, const struct node *node)
{
    struct collection operands = {0};
    bool truths = true;
    term_id id = 0;
    for (uint32_t i = 0; i < node->count && !c->terms->failed; i++) {
        if (collect(c, &operands, compile(c, node->items[i])))
            truths = truths && !c->terms->failed && is_truth(c, operands.items[i]);
    }
    if (!c->terms->failed && truths) {
        id = term_make(c->terms, node->kind == NODE_AND ? TERM_AND : TERM_OR, 0, operands.items, operands.count);
    } else if (!c->terms->failed) {
        id = operands.items[operands.count - 1];
        for (size_t i = operands.count - 1; i-- > 0;) {
            term_id operand = operands.items[i];
            id = node->kind == NODE_AND ? choice(c, operand, id, operand) : choice(c, operand, operand, id);
        }
    }
    free(operands.items);
    return id;
}

/* The items of a list of known length; false if it is not one. */
static bool compile_list(struct compilation *c, const struct node *node, struct collection *list)
{
    switch (node->kind) {
    case NODE_LIST:
        for (uint32_t i = 0; i < node->count; i++) {
            if (node->items[i]->is_list || !collect(c, list, compile(c, node->items[i])))
                return false;
        }
        return true;
    case NODE_JOIN:
        return compile_list(c, node->items[0], list) && compile_list(c, node->items[1], list);
    default:
        return false;
    }
}

static bool constant_integers(struct compilation *c, const struct node *node, int64_t *integers)
{
    for (uint32_t i = 0; i < node->count; i++) {
        term_id id = compile(c, node->items[i]);
        if (c->terms->failed || c->terms->items[id].kind != TERM_CONSTANT ||
            !arithmetic_whole(c->terms->items[id].constant, &integers[i]))
            return false;
    }
    return true;
}

/* x in range(...) with constant bounds. */
static bool compile_in_range(struct compilation *c, term_id wanted, const struct node *call, term_id *id)
{
    int64_t bounds[FUNCTION_ARGUMENTS] = {0}, span;
    if (!constant_integers(c, call, bounds))
        return false;
    int64_t first = call->count > 1 ? bounds[0] : 0, end = call->count > 1 ? bounds[1] : bounds[0];
    int64_t step = call->count > 2 ? bounds[2] : 1;
    if (step == 0 || step == INT64_MIN || __builtin_sub_overflow(end, first, &span) || span == INT64_MIN)
        return false;
    int64_t count = (span > 0) == (step > 0) && span != 0 ? (llabs(span) - 1) / llabs(step) + 1 : 0;
    const term_id operands[] = {wanted, term_constant(c->terms, value_integer(first)),
                                term_constant(c->terms, value_integer(step)),
                                term_constant(c->terms, value_integer(count))};
    *id = term_make(c->terms, TERM_IN_RANGE, 0, operands, 4);
    return true;
}

/* x in list; false if the list must be left to the evaluator. */
static bool compile_in_list(struct compilation *c, term_id wanted, const struct node *list, term_id *id)
{
    if (list->kind == NODE_CALL && list->operation == FUNCTION_RANGE)
        return compile_in_range(c, wanted, list, id);
    struct collection operands = {0};
    bool known = collect(c, &operands, wanted) && compile_list(c, list, &operands);
    if (known)
        *id = term_make(c->terms, TERM_IN, 0, operands.items, operands.count);
    free(operands.items);
    return known;
}

/* A chained comparison is the conjunction of its pairs. */
static term_id compile_compare(struct compilation *c, const struct node *node)
{
    struct collection pairs = {0};
    term_id left = compile(c, node->items[0]), id = 0;
    bool known = true;
    for (uint32_t i = 1; i < node->count && known; i++) {
        unsigned comparison = node->comparisons[i - 1];
        bool in = comparison == COMPARE_IN || comparison == COMPARE_NOT_IN;
        if (node->items[i]->is_list) {
            known = compile_in_list(c, left, node->items[i], &id);
        } else {
            const term_id operands[] = {left, compile(c, node->items[i])};
            id = in ? term_make(c->terms, TERM_IN_STRING, 0, operands, 2)
                    : term_make(c->terms, TERM_COMPARE, comparison, operands, 2);
            left = operands[1];
        }
        if (known && comparison == COMPARE_NOT_IN)
            id = term_not(c->terms, id);
        known = known && collect(c, &pairs, id);
    }
    id = known ? term_make(c->terms, TERM_AND, 0, pairs.items, pairs.count) : 0;
    free(pairs.items);
    return known || c->terms->failed ? id : compile_foreign(c, node);
}

static term_id compile_call(struct compilation *c, const struct node *node)
{
    struct collection arguments = {0};
    bool known = true;
    term_id id = 0;
    for (uint32_t i = 0; i < node->count && known; i++) {
        if (node->items[i]->is_list)
            known = compile_list(c, node->items[i], &arguments);
        else
            known = collect(c, &arguments, compile(c, node->items[i]));
    }
    known = known && arguments.count > 0;
    if (known)
        id = term_make(c->terms, TERM_CALL, node->operation, arguments.items, arguments.count);
    free(arguments.items);
    return known || c->terms->failed ? id : compile_foreign(c, node);
}

static term_id compile_operator(struct compilation *c, const struct node *node)
{
    term_id operands[2];
    for (uint32_t i = 0; i < node->count && i < 2; i++)
        operands[i] = compile(c, node->items[i]);
    return term_make(c->terms, node->kind == NODE_UNARY ? TERM_UNARY : TERM_BINARY, node->operation, operands,
                     node->count);
}

static term_id compile(struct compilation *c, const struct node *node)
{
    if (c->terms->failed)
        return 0;
    switch (node->kind) {
    case NODE_CONSTANT:
        return term_constant(c->terms, node->constant);
    case NODE_NAME:
        return compile_name(c, node->slot);
    case NODE_UNARY:
    case NODE_BINARY:
        return compile_operator(c, node);
    case NODE_NOT:
        return term_not(c->terms, term_truth(c->terms, compile(c, node->items[0])));
    case NODE_AND:
    case NODE_OR:
        return compile_logic(c, node);
    case NODE_COMPARE:
        return compile_compare(c, node);
    case NODE_CHOICE:
        if (!node->is_list)
            return choice(c, compile(c, node->items[0]), compile(c, node->items[1]), compile(c, node->items[2]));
        break;
    case NODE_CALL:
        if (!node->is_list)
            return compile_call(c, node);
        break;
    default:
        break;
    }
    return compile_foreign(c, node);
}

term_id compile_expression(struct compilation *c, const struct expr *expr)
{
    const struct text *text = c->text;
    c->text = expr->text;
    term_id id = compile(c, expr->root);
    c->text = text;
    return id;
}
