/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluation: a walk of the tree. It allocates nothing; its depth is that of the tree, which the parser limits.
 */
#include "tuner/lang/function.h"
#include "tuner/lang/node.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The value of a comprehension's name, the innermost first. */
struct binding {
    size_t level;
    struct value value;
    const struct binding *outer;
};

struct evaluation {
    const struct text *text;
    const struct value *slots;
    struct error *error;
    const struct binding *bindings;
    uint32_t *steps; /* taken by comprehensions */
};

/* Called with each value of a list. False: an error. */
typedef bool visitor(void *context, struct value value);

enum {
    LIST_LIMIT = 1 << 20, /* values of one list */
    STEP_LIMIT = 1 << 22, /* of the comprehensions of an expression, whatever their conditions keep */
};

static bool evaluate(const struct evaluation *e, const struct node *node, struct value *result);
static bool visit_list(const struct evaluation *e, const struct node *node, visitor *visit, void *context);

static struct place place_of(const struct evaluation *e, const struct node *node)
{
    return text_place(e->text, node->offset, node->length);
}

static bool unset(const struct evaluation *e, const struct node *node)
{
    const char *name = e->text->data + node->offset;
    int length = (int)node->length;
    struct place place = place_of(e, node);
    switch ((enum name_kind)node->operation) {
    case NAME_PARAMETER:
        error_at(e->error, ERROR_INPUT, place, "parameter %.*s has no value", length, name);
        return error_hint(e->error, "the space must vary it with `param` or fix it with `set`");
    case NAME_LET:
        error_at(e->error, ERROR_INPUT, place, "%.*s has no value here", length, name);
        return error_hint(e->error, "something that its let reads has no value, or its evaluation fails");
    default:
        return error_at(e->error, ERROR_INPUT, place, "%.*s has no value here", length, name);
    }
}

/* Turn the fault of an operator into an error. */
static bool fail(const struct evaluation *e, const struct node *node, enum fault fault, struct value a,
                 struct value b)
{
    if (!e->error)
        return false;
    struct place place = place_of(e, node);
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
        return error_hint(e->error, "integers have 64 bits, floats reach to 1.8e308");
    case FAULT_COMPLEX:
        return error_at(e->error, ERROR_INPUT, place, "a power of a negative number that is not a real number");
    case FAULT_SHIFT:
        return error_at(e->error, ERROR_INPUT, place, "a shift by a negative number of bits");
    }
    return false;
}

static bool evaluate_unary(const struct evaluation *e, const struct node *node, struct value *result)
{
    struct value a;
    if (!evaluate(e, node->items[0], &a))
        return false;
    enum fault fault = arithmetic_unary((enum operation)node->operation, a, result);
    return fault == FAULT_NONE || fail(e, node, fault, a, a);
}

static bool evaluate_binary(const struct evaluation *e, const struct node *node, struct value *result)
{
    struct value a, b;
    if (!evaluate(e, node->items[0], &a) || !evaluate(e, node->items[1], &b))
        return false;
    enum fault fault = arithmetic_binary((enum operation)node->operation, a, b, result);
    return fault == FAULT_NONE || fail(e, node, fault, a, b);
}

static bool evaluate_not(const struct evaluation *e, const struct node *node, struct value *result)
{
    struct value a;
    if (!evaluate(e, node->items[0], &a))
        return false;
    *result = value_boolean(!value_truth(a));
    return true;
}

/* `and` gives its first false operand, `or` its first true one; each gives its last when there is none. */
static bool evaluate_logic(const struct evaluation *e, const struct node *node, struct value *result)
{
    bool decides = node->kind == NODE_OR;
    assert(node->count > 0);
    for (uint32_t i = 0; i < node->count; i++) {
        if (!evaluate(e, node->items[i], result))
            return false;
        if (value_truth(*result) == decides)
            return true;
    }
    return true;
}

static bool evaluate_choice(const struct evaluation *e, const struct node *node, const struct node **chosen)
{
    struct value condition;
    if (!evaluate(e, node->items[0], &condition))
        return false;
    *chosen = node->items[value_truth(condition) ? 1 : 2];
    return true;
}

/* Lists */

/* Arguments of range and pow2 as integers. */
static bool whole_arguments(const struct evaluation *e, const struct node *node, int64_t *whole)
{
    for (uint32_t i = 0; i < node->count; i++) {
        struct value value;
        char text[64];
        if (!evaluate(e, node->items[i], &value))
            return false;
        if (arithmetic_whole(value, &whole[i]))
            continue;
        value_text(value, text, sizeof text);
        return error_at(e->error, ERROR_INPUT, place_of(e, node), "%s() needs whole numbers, not %s",
                        functions[node->operation].name, text);
    }
    return true;
}

static bool visit_pow2(const struct evaluation *e, const struct node *node, visitor *visit, void *context)
{
    int64_t bounds[FUNCTION_ARGUMENTS] = {0};
    if (!whole_arguments(e, node, bounds))
        return false;
    if (bounds[0] < 1) {
        error_at(e->error, ERROR_INPUT, place_of(e, node), "pow2() starts at %" PRId64 ", which is below 1",
                 bounds[0]);
        return error_hint(e->error, "its arguments are values: pow2(1, 8) is [1, 2, 4, 8]");
    }
    for (int bit = 0; bit < 63; bit++) {
        int64_t power = (int64_t)1 << bit;
        if (power >= bounds[0] && power <= bounds[1] && !visit(context, value_integer(power)))
            return false;
    }
    return true;
}

/* How many values range(start, end, step) has. */
static uint64_t range_count(int64_t start, int64_t end, int64_t step)
{
    if (step > 0 ? start >= end : start <= end)
        return 0;
    uint64_t span = step > 0 ? (uint64_t)end - (uint64_t)start : (uint64_t)start - (uint64_t)end;
    uint64_t stride = step > 0 ? (uint64_t)step : -(uint64_t)step;
    return (span - 1) / stride + 1;
}

static bool range_bounds(const struct evaluation *e, const struct node *node, int64_t *start, uint64_t *count,
                         int64_t *step)
{
    int64_t whole[FUNCTION_ARGUMENTS] = {0};
    if (!whole_arguments(e, node, whole))
        return false;
    *start = node->count > 1 ? whole[0] : 0;
    *step = node->count > 2 ? whole[2] : 1;
    if (*step == 0)
        return error_at(e->error, ERROR_INPUT, place_of(e, node), "range() with a step of 0");
    *count = range_count(*start, node->count > 1 ? whole[1] : whole[0], *step);
    return true;
}

/* Inside of a comprehension, where short texts can stand for endless work. */
static bool count_step(const struct evaluation *e, const struct node *node)
{
    if (!e->bindings || ++*e->steps <= STEP_LIMIT)
        return true;
    return error_at(e->error, ERROR_INPUT, place_of(e, node), "this comprehension takes more than %d steps",
                    STEP_LIMIT);
}

static bool visit_range(const struct evaluation *e, const struct node *node, visitor *visit, void *context)
{
    int64_t start, step;
    uint64_t count;
    if (!range_bounds(e, node, &start, &count, &step))
        return false;
    if (count > LIST_LIMIT)
        return error_at(e->error, ERROR_INPUT, place_of(e, node), "this range has %" PRIu64 " values, more than %d",
                        count, LIST_LIMIT);
    for (uint64_t i = 0; i < count; i++) {
        if (!count_step(e, node) || !visit(context, value_integer(start + (int64_t)i * step)))
            return false;
    }
    return true;
}

/* A comprehension on its way through its clauses, those before `clause` done. */
struct generation {
    const struct evaluation *evaluation;
    const struct node *node;
    uint32_t clause; /* from 1: an item of the node */
    size_t level;    /* of the next name */
    visitor *visit;
    void *context;
};

static bool generate(const struct generation *generation);

/* One value of a `for`. */
static bool generate_visit(void *context, struct value value)
{
    const struct generation *outer = context;
    struct binding binding = {outer->level, value, outer->evaluation->bindings};
    struct evaluation evaluation = *outer->evaluation;
    evaluation.bindings = &binding;
    struct generation inner = *outer;
    inner.evaluation = &evaluation;
    inner.clause++;
    inner.level++;
    return count_step(&evaluation, outer->node) && generate(&inner);
}

static bool generate(const struct generation *generation)
{
    struct generation next = *generation;
    const struct node *node = next.node;
    struct value value;
    for (; next.clause < node->count; next.clause++) {
        const struct node *item = node->items[next.clause];
        if (node->clauses[next.clause - 1] == CLAUSE_FOR)
            return visit_list(next.evaluation, item, generate_visit, &next);
        if (!evaluate(next.evaluation, item, &value))
            return false;
        if (!value_truth(value))
            return true;
    }
    return evaluate(next.evaluation, node->items[0], &value) && next.visit(next.context, value);
}

static bool visit_list(const struct evaluation *e, const struct node *node, visitor *visit, void *context)
{
    const struct node *chosen;
    switch ((enum node_kind)node->kind) {
    case NODE_LIST:
        for (uint32_t i = 0; i < node->count; i++) {
            struct value value;
            if (!evaluate(e, node->items[i], &value) || !visit(context, value))
                return false;
        }
        return true;
    case NODE_JOIN:
        return visit_list(e, node->items[0], visit, context) && visit_list(e, node->items[1], visit, context);
    case NODE_CHOICE:
        return evaluate_choice(e, node, &chosen) && visit_list(e, chosen, visit, context);
    case NODE_CALL:
        if (node->operation == FUNCTION_LIST)
            return visit_list(e, node->items[0], visit, context);
        return node->operation == FUNCTION_RANGE ? visit_range(e, node, visit, context)
                                                 : visit_pow2(e, node, visit, context);
    case NODE_COMPREHENSION:
        return generate(&(struct generation){e, node, 1, node->operation, visit, context});
    default:
        return error_at(e->error, ERROR_INPUT, place_of(e, node), "this is not a list");
    }
}

/* x in list */
struct search {
    struct value wanted;
    bool found;
};

/* All values are evaluated, as in Python: a list that cannot be is an error whatever it is searched for. */
static bool search_visit(void *context, struct value value)
{
    struct search *search = context;
    search->found = search->found || value_equal(search->wanted, value);
    return true;
}

/* A range is searched by its rule, not value by value. */
static bool range_contains(const struct evaluation *e, const struct node *node, struct value wanted, bool *contains)
{
    int64_t start, step, value;
    uint64_t count;
    if (!range_bounds(e, node, &start, &count, &step))
        return false;
    *contains = false;
    if (count == 0 || !value_is_number(wanted) || !arithmetic_whole(wanted, &value))
        return true;
    if (step > 0 ? value < start : value > start)
        return true;
    uint64_t distance = step > 0 ? (uint64_t)value - (uint64_t)start : (uint64_t)start - (uint64_t)value;
    uint64_t stride = step > 0 ? (uint64_t)step : -(uint64_t)step;
    *contains = distance % stride == 0 && distance / stride < count;
    return true;
}

static bool evaluate_in(const struct evaluation *e, const struct node *node, const struct node *list,
                        struct value wanted, bool *contains)
{
    if (list->is_list && list->kind == NODE_CALL && list->operation == FUNCTION_RANGE)
        return range_contains(e, list, wanted, contains);
    if (list->is_list) {
        struct search search = {wanted, false};
        bool good = visit_list(e, list, search_visit, &search);
        *contains = search.found;
        return good;
    }
    struct value whole;
    if (!evaluate(e, list, &whole))
        return false;
    if (whole.kind != VALUE_STRING || wanted.kind != VALUE_STRING)
        return error_at(e->error, ERROR_INPUT, place_of(e, node), "in needs a list on its right, not %s",
                        value_kind_name(whole.kind));
    *contains = strstr(whole.string, wanted.string) != NULL;
    return true;
}

/* Comparisons */

static bool compare(const struct evaluation *e, const struct node *node, enum comparison comparison, struct value a,
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
    return error_at(e->error, ERROR_INPUT, place_of(e, node), "%s cannot compare %s and %s", signs[comparison],
                    value_kind_name(a.kind), value_kind_name(b.kind));
}

static bool evaluate_compare(const struct evaluation *e, const struct node *node, struct value *result)
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

/* min and max: the first of the smallest or largest, as in Python. */
struct extremum {
    const struct evaluation *evaluation;
    const struct node *node;
    enum order better;
    struct value best;
};

static bool extremum_visit(void *context, struct value value)
{
    struct extremum *extremum = context;
    const struct evaluation *e = extremum->evaluation;
    if (extremum->best.kind == VALUE_UNSET) {
        extremum->best = value;
        return true;
    }
    enum order order = arithmetic_order(value, extremum->best);
    if (order == ORDER_NONE)
        return error_at(e->error, ERROR_INPUT, place_of(e, extremum->node), "%s() cannot compare %s and %s",
                        functions[extremum->node->operation].name, value_kind_name(value.kind),
                        value_kind_name(extremum->best.kind));
    if (order == extremum->better)
        extremum->best = value;
    return true;
}

static bool evaluate_extremum(const struct evaluation *e, const struct node *node, struct value *result)
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
        return error_at(e->error, ERROR_INPUT, place_of(e, node), "%s() of an empty list",
                        functions[node->operation].name);
    *result = extremum.best;
    return true;
}

static bool evaluate_call(const struct evaluation *e, const struct node *node, struct value *result)
{
    struct value arguments[FUNCTION_ARGUMENTS];
    if (!functions[node->operation].apply)
        return evaluate_extremum(e, node, result);
    for (uint32_t i = 0; i < node->count; i++) {
        if (!evaluate(e, node->items[i], &arguments[i]))
            return false;
    }
    return functions[node->operation].apply(arguments, place_of(e, node), result, e->error);
}

static struct value bound_value(const struct evaluation *e, size_t level)
{
    const struct binding *binding = e->bindings;
    while (binding && binding->level != level)
        binding = binding->outer;
    return binding ? binding->value : (struct value){.kind = VALUE_UNSET};
}

static bool evaluate(const struct evaluation *e, const struct node *node, struct value *result)
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
    return error_at(e->error, ERROR_INPUT, place_of(e, node), "a list cannot be used as a value");
}

/* The interface */

bool expr_evaluate(const struct expr *expr, const struct value *slots, struct value *result, struct error *error)
{
    uint32_t steps = 0;
    struct evaluation evaluation = {expr->text, slots, error, NULL, &steps};
    return evaluate(&evaluation, expr->root, result);
}

static bool needs(const struct expr *expr, const char *what, struct value value, struct error *error)
{
    char text[128];
    value_text(value, text, sizeof text);
    return error_at(error, ERROR_INPUT, expr_place(expr), "%s is needed here, and this is %s", what, text);
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
    struct evaluation evaluation = {expr->text, slots, error, NULL, &steps};
    struct collection collection = {.expr = expr, .error = error};
    if (!visit_list(&evaluation, expr->root, collect_visit, &collection)) {
        free(collection.values);
        return false;
    }
    *values = collection.values;
    *count = collection.count;
    return true;
}

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

struct place expr_place(const struct expr *expr)
{
    return text_place(expr->text, expr->offset, expr->length);
}
