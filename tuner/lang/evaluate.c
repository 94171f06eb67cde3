/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/evaluate.h"
#include "tuner/lang/evaluate_list.h"
#include "tuner/lang/function.h"

#include <stdlib.h>
#include <string.h>

struct place evaluator_place(const struct evaluator *e, const struct node *node)
{
    return text_place(e->text, node->offset, node->length);
}

static bool unset(const struct evaluator *e, const struct node *node)
{
    const char *name = e->text->data + node->offset;
    int length = (int)node->length;
    struct place place = evaluator_place(e, node);
    switch ((enum name_kind)node->operation) {
    case NAME_PARAMETER:
        error_at(e->error, ERROR_INPUT, place, "parameter %.*s has no value", length, name);
        return error_hint(e->error, "the space must vary it with `param` or fix it with `set`");
    case NAME_LET:
        error_at(e->error, ERROR_INPUT, place, "%.*s has no value here", length, name);
        return error_hint(e->error, "its let depends on something without a value, or cannot be evaluated");
    case NAME_MEASURED:
        error_at(e->error, ERROR_INPUT, place, "%.*s is not known", length, name);
        return error_hint(e->error, "it was not measured, or the device does not report it");
    case NAME_COUNT:
        error_at(e->error, ERROR_INPUT, place, "%.*s is not known here", length, name);
        return error_hint(e->error, "a count is known once a block has read it");
    default:
        return error_at(e->error, ERROR_INPUT, place, "%.*s has no value here", length, name);
    }
}

/* Report the fault of an operator. */
static bool fail(const struct evaluator *e, const struct node *node, enum fault fault, struct value a, struct value b)
{
    if (!e->error)
        return false;
    struct place place = evaluator_place(e, node);
    int length = (int)node->length;
    const char *sign = e->text->data + node->offset;
    switch (fault) {
    case FAULT_NONE:
        return true;
    case FAULT_KINDS:
        if (node->kind == NODE_UNARY)
            return error_at(e->error, ERROR_INPUT, place, "%.*s cannot be applied to %s", length, sign,
                            value_kind_name(a.kind));
        return error_at(e->error, ERROR_INPUT, place, "%.*s cannot be applied to %s and %s", length, sign,
                        value_kind_name(a.kind), value_kind_name(b.kind));
    case FAULT_ZERO:
        return error_at(e->error, ERROR_INPUT, place, "division by zero");
    case FAULT_OVERFLOW:
        error_at(e->error, ERROR_INPUT, place, "the result of %.*s is too large", length, sign);
        return error_hint(e->error, "integers have 64 bits; the largest float is 1.8e308");
    case FAULT_COMPLEX:
        return error_at(e->error, ERROR_INPUT, place, "this power of a negative number is not real");
    case FAULT_SHIFT:
        return error_at(e->error, ERROR_INPUT, place, "negative shift count");
    }
    return false;
}

static bool evaluate_unary(const struct evaluator *e, const struct node *node, struct value *result)
{
    struct value a;
    if (!evaluate(e, node->items[0], &a))
        return false;
    enum fault fault = arithmetic_unary((enum operation)node->operation, a, result);
    return fault == FAULT_NONE || fail(e, node, fault, a, a);
}

static bool evaluate_binary(const struct evaluator *e, const struct node *node, struct value *result)
{
    struct value a, b;
    if (!evaluate(e, node->items[0], &a) || !evaluate(e, node->items[1], &b))
        return false;
    enum fault fault = arithmetic_binary((enum operation)node->operation, a, b, result);
    return fault == FAULT_NONE || fail(e, node, fault, a, b);
}

static bool evaluate_not(const struct evaluator *e, const struct node *node, struct value *result)
{
    struct value a;
    if (!evaluate(e, node->items[0], &a))
        return false;
    *result = value_boolean(!value_truth(a));
    return true;
}

/* `and` yields its first false operand, `or` its first true one, both their last if there is none. */
static bool evaluate_logic(const struct evaluator *e, const struct node *node, struct value *result)
{
    const bool decides = node->kind == NODE_OR;
    uint32_t i = 0;
    do {
        if (!evaluate(e, node->items[i], result))
            return false;
    } while (value_truth(*result) != decides && ++i < node->count);
    return true;
}

bool evaluate_choice(const struct evaluator *e, const struct node *node, const struct node **chosen)
{
    struct value condition;
    if (!evaluate(e, node->items[0], &condition))
        return false;
    *chosen = node->items[value_truth(condition) ? 1 : 2];
    return true;
}

/* Comparisons */

/* A value in a list, or a string in another. */
static bool evaluate_in(const struct evaluator *e, const struct node *node, const struct node *list,
                        struct value wanted, bool *contains)
{
    if (list->is_list)
        return list_contains(e, list, wanted, contains);
    struct value whole;
    if (!evaluate(e, list, &whole))
        return false;
    if (whole.kind != VALUE_STRING || wanted.kind != VALUE_STRING)
        return error_at(e->error, ERROR_INPUT, evaluator_place(e, node), "`in` needs a list on its right, not %s",
                        value_kind_name(whole.kind));
    *contains = strstr(whole.string, wanted.string) != NULL;
    return true;
}

static bool compare(const struct evaluator *e, const struct node *node, enum comparison comparison, struct value a,
                    struct value b, bool *holds)
{
    static const char *const signs[] = {"<", "<=", ">", ">="};
    enum order order = arithmetic_order(a, b);
    switch (comparison) {
    case COMPARE_EQUAL:
        *holds = order == ORDER_EQUAL;
        return true;
    case COMPARE_NOT_EQUAL:
        *holds = order != ORDER_EQUAL;
        return true;
    case COMPARE_LESS:
        *holds = order == ORDER_LESS;
        break;
    case COMPARE_LESS_EQUAL:
        *holds = order == ORDER_LESS || order == ORDER_EQUAL;
        break;
    case COMPARE_GREATER:
        *holds = order == ORDER_GREATER;
        break;
    default:
        *holds = order == ORDER_GREATER || order == ORDER_EQUAL;
        break;
    }
    if (order != ORDER_NONE || (value_is_number(a) && value_is_number(b)))
        return true;
    return error_at(e->error, ERROR_INPUT, evaluator_place(e, node), "%s cannot compare %s and %s", signs[comparison],
                    value_kind_name(a.kind), value_kind_name(b.kind));
}

static bool evaluate_compare(const struct evaluator *e, const struct node *node, struct value *result)
{
    struct value left, right = {.kind = VALUE_UNSET};
    bool holds = true;
    if (!evaluate(e, node->items[0], &left))
        return false;
    for (uint32_t i = 1; i < node->count && holds; i++) {
        enum comparison comparison = (enum comparison)node->comparisons[i - 1];
        if (comparison == COMPARE_IN || comparison == COMPARE_NOT_IN) {
            if (!evaluate_in(e, node, node->items[i], left, &holds))
                return false;
            holds = holds == (comparison == COMPARE_IN);
            if (i + 1 == node->count)
                break;
        }
        if (!evaluate(e, node->items[i], &right))
            return false;
        if (comparison < COMPARE_IN && !compare(e, node, comparison, left, right, &holds))
            return false;
        left = right;
    }
    *result = value_boolean(holds);
    return true;
}

/* Functions */

/* min and max: of equal values the first, as in Python. */
struct extremum {
    const struct evaluator *evaluator;
    const struct node *node;
    enum order better;
    struct value best;
};

static bool extremum_visit(void *context, struct value value)
{
    struct extremum *extremum = context;
    const struct evaluator *e = extremum->evaluator;
    if (extremum->best.kind == VALUE_UNSET) {
        extremum->best = value;
        return true;
    }
    enum order order = arithmetic_order(value, extremum->best);
    if (order == ORDER_NONE)
        return error_at(e->error, ERROR_INPUT, evaluator_place(e, extremum->node), "%s() cannot compare %s and %s",
                        functions[extremum->node->operation].name, value_kind_name(value.kind),
                        value_kind_name(extremum->best.kind));
    if (order == extremum->better)
        extremum->best = value;
    return true;
}

static bool evaluate_extremum(const struct evaluator *e, const struct node *node, struct value *result)
{
    struct extremum extremum = {
        e, node, node->operation == FUNCTION_MIN ? ORDER_LESS : ORDER_GREATER, {.kind = VALUE_UNSET}};
    if (node->items[0]->is_list) {
        if (!visit_list(e, node->items[0], extremum_visit, &extremum))
            return false;
    } else {
        for (uint32_t i = 0; i < node->count; i++) {
            struct value value;
            if (!evaluate(e, node->items[i], &value) || !extremum_visit(&extremum, value))
                return false;
        }
    }
    if (extremum.best.kind == VALUE_UNSET)
        return error_at(e->error, ERROR_INPUT, evaluator_place(e, node), "%s() of an empty list",
                        functions[node->operation].name);
    *result = extremum.best;
    return true;
}

static bool evaluate_call(const struct evaluator *e, const struct node *node, struct value *result)
{
    struct value arguments[FUNCTION_ARGUMENTS];
    if (!functions[node->operation].apply)
        return evaluate_extremum(e, node, result);
    for (uint32_t i = 0; i < node->count; i++) {
        if (!evaluate(e, node->items[i], &arguments[i]))
            return false;
    }
    return functions[node->operation].apply(arguments, evaluator_place(e, node), result, e->error);
}

static struct value bound_value(const struct evaluator *e, size_t level)
{
    const struct binding *binding = e->bindings;
    while (binding && binding->level != level)
        binding = binding->outer;
    return binding ? binding->value : (struct value){.kind = VALUE_UNSET};
}

bool evaluate(const struct evaluator *e, const struct node *node, struct value *result)
{
    const struct node *chosen;
    switch ((enum node_kind)node->kind) {
    case NODE_CONSTANT:
        *result = node->constant;
        return true;
    case NODE_NAME:
        *result = e->slots[node->slot];
        return result->kind != VALUE_UNSET || unset(e, node);
    case NODE_UNARY:
        return evaluate_unary(e, node, result);
    case NODE_BINARY:
        return evaluate_binary(e, node, result);
    case NODE_NOT:
        return evaluate_not(e, node, result);
    case NODE_AND:
    case NODE_OR:
        return evaluate_logic(e, node, result);
    case NODE_COMPARE:
        return evaluate_compare(e, node, result);
    case NODE_CHOICE:
        return evaluate_choice(e, node, &chosen) && evaluate(e, chosen, result);
    case NODE_CALL:
        if (!node->is_list)
            return evaluate_call(e, node, result);
        break;
    case NODE_BOUND:
        *result = bound_value(e, node->slot);
        return true;
    case NODE_LIST:
    case NODE_JOIN:
    case NODE_COMPREHENSION:
        break;
    }
    return error_at(e->error, ERROR_INPUT, evaluator_place(e, node), "a list cannot be used as a value");
}

/* The interface */

bool expr_evaluate(const struct expr *expr, const struct value *slots, struct value *result, struct error *error)
{
    uint32_t steps = 0;
    struct evaluator evaluator = {expr->text, slots, error, NULL, &steps};
    return evaluate(&evaluator, expr->root, result);
}

static bool needs(const struct expr *expr, const char *what, struct value value, struct error *error)
{
    char text[128];
    value_text(value, text, sizeof text);
    return error_at(error, ERROR_INPUT, expr_place(expr), "expected %s, got %s", what, text);
}

bool expr_integer(const struct expr *expr, const struct value *slots, int64_t *result, struct error *error)
{
    struct value value;
    return expr_evaluate(expr, slots, &value, error) &&
           (arithmetic_whole(value, result) || needs(expr, "a whole number", value, error));
}

bool expr_number(const struct expr *expr, const struct value *slots, double *result, struct error *error)
{
    struct value value;
    if (!expr_evaluate(expr, slots, &value, error))
        return false;
    if (!value_is_number(value))
        return needs(expr, "a number", value, error);
    *result = arithmetic_real(value);
    return true;
}

bool expr_truth(const struct expr *expr, const struct value *slots, bool *result, struct error *error)
{
    struct value value;
    if (!expr_evaluate(expr, slots, &value, error))
        return false;
    *result = value_truth(value);
    return true;
}

struct collection {
    const struct expr *expr;
    struct error *error;
    struct value *values;
    size_t count, capacity;
};

static bool collect_visit(void *context, struct value value)
{
    struct collection *collection = context;
    if (collection->count == LIST_LIMIT)
        return error_at(collection->error, ERROR_INPUT, expr_place(collection->expr),
                        "this list has more than %d values", LIST_LIMIT);
    if (collection->count == collection->capacity) {
        size_t capacity = collection->capacity ? 2 * collection->capacity : 16;
        struct value *values = realloc(collection->values, capacity * sizeof *values);
        if (!values)
            return error_out_of_memory(collection->error);
        collection->values = values;
        collection->capacity = capacity;
    }
    collection->values[collection->count++] = value;
    return true;
}

bool expr_list(const struct expr *expr, const struct value *slots, struct value **values, size_t *count,
               struct error *error)
{
    uint32_t steps = 0;
    struct evaluator evaluator = {expr->text, slots, error, NULL, &steps};
    struct collection collection = {.expr = expr, .error = error};
    if (!visit_list(&evaluator, expr->root, collect_visit, &collection)) {
        free(collection.values);
        return false;
    }
    *values = collection.values;
    *count = collection.count;
    return true;
}
