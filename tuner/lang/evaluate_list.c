/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/evaluate_list.h"
#include "tuner/lang/function.h"

#include <inttypes.h>

/* The arguments of range and pow2 as integers. */
static bool whole_arguments(const struct evaluator *e, const struct node *node, int64_t *whole)
{
    for (uint32_t i = 0; i < node->count; i++) {
        struct value value;
        char text[64];
        if (!evaluate(e, node->items[i], &value))
            return false;
        if (arithmetic_whole(value, &whole[i]))
            continue;
        value_text(value, text, sizeof text);
        return error_at(e->error, ERROR_INPUT, evaluator_place(e, node), "%s() needs whole numbers, not %s",
                        functions[node->operation].name, text);
    }
    return true;
}

static bool visit_pow2(const struct evaluator *e, const struct node *node, visitor *visit, void *context)
{
    int64_t bounds[FUNCTION_ARGUMENTS] = {0};
    if (!whole_arguments(e, node, bounds))
        return false;
    if (bounds[0] < 1) {
        error_at(e->error, ERROR_INPUT, evaluator_place(e, node),
                 "pow2() cannot start at %" PRId64 "; the smallest power of two is 1", bounds[0]);
        return error_hint(e->error, "its arguments are the bounds, not exponents: pow2(1, 8) is [1, 2, 4, 8]");
    }
    for (int bit = 0; bit < 63; bit++) {
        int64_t power = (int64_t)1 << bit;
        if (power >= bounds[0] && power <= bounds[1] && !visit(context, value_integer(power)))
            return false;
    }
    return true;
}

/* The number of values of range(start, end, step). */
static uint64_t range_count(int64_t start, int64_t end, int64_t step)
{
    if (step > 0 ? start >= end : start <= end)
        return 0;
    uint64_t span = step > 0 ? (uint64_t)end - (uint64_t)start : (uint64_t)start - (uint64_t)end;
    uint64_t stride = step > 0 ? (uint64_t)step : -(uint64_t)step;
    return (span - 1) / stride + 1;
}

static bool range_bounds(const struct evaluator *e, const struct node *node, int64_t *start, uint64_t *count,
                         int64_t *step)
{
    int64_t whole[FUNCTION_ARGUMENTS] = {0};
    if (!whole_arguments(e, node, whole))
        return false;
    *start = node->count > 1 ? whole[0] : 0;
    *step = node->count > 2 ? whole[2] : 1;
    if (*step == 0)
        return error_at(e->error, ERROR_INPUT, evaluator_place(e, node), "the step of range() is 0");
    *count = range_count(*start, node->count > 1 ? whole[1] : whole[0], *step);
    return true;
}

/* Limit the work inside comprehensions, of which a short text can ask for any amount. */
static bool count_step(const struct evaluator *e, const struct node *node)
{
    if (!e->bindings || ++*e->steps <= STEP_LIMIT)
        return true;
    return error_at(e->error, ERROR_INPUT, evaluator_place(e, node), "this comprehension takes more than %d steps",
                    STEP_LIMIT);
}

static bool visit_range(const struct evaluator *e, const struct node *node, visitor *visit, void *context)
{
    int64_t start, step;
    uint64_t count;
    if (!range_bounds(e, node, &start, &count, &step))
        return false;
    if (count > LIST_LIMIT)
        return error_at(e->error, ERROR_INPUT, evaluator_place(e, node),
                        "this range has %" PRIu64 " values; the limit is %d", count, LIST_LIMIT);
    for (uint64_t i = 0; i < count; i++) {
        if (!count_step(e, node) || !visit(context, value_integer(start + (int64_t)i * step)))
            return false;
    }
    return true;
}

/* The evaluation of a comprehension from one of its clauses on. */
struct generation {
    const struct evaluator *evaluator;
    const struct node *node;
    uint32_t clause; /* the index of its item, from 1 */
    size_t level;    /* of the next variable */
    visitor *visit;
    void *context;
};

static bool generate(const struct generation *generation);

/* Run the clauses after a `for` with one of its values. */
static bool generate_visit(void *context, struct value value)
{
    const struct generation *outer = context;
    struct binding binding = {outer->level, value, outer->evaluator->bindings};
    struct evaluator evaluator = *outer->evaluator;
    evaluator.bindings = &binding;
    struct generation inner = *outer;
    inner.evaluator = &evaluator;
    inner.clause++;
    inner.level++;
    return count_step(&evaluator, outer->node) && generate(&inner);
}

static bool generate(const struct generation *generation)
{
    struct generation next = *generation;
    const struct node *node = next.node;
    struct value value;
    for (; next.clause < node->count; next.clause++) {
        const struct node *item = node->items[next.clause];
        if (node->clauses[next.clause - 1] == CLAUSE_FOR)
            return visit_list(next.evaluator, item, generate_visit, &next);
        if (!evaluate(next.evaluator, item, &value))
            return false;
        if (!value_truth(value))
            return true;
    }
    return evaluate(next.evaluator, node->items[0], &value) && next.visit(next.context, value);
}

bool visit_list(const struct evaluator *e, const struct node *node, visitor *visit, void *context)
{
    const struct node *chosen;
    if (!node->is_list) /* max(1, 2, 3, 4) is a call too, and may have more arguments than range() */
        return error_at(e->error, ERROR_INPUT, evaluator_place(e, node), "expected a list");
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
        return error_at(e->error, ERROR_INPUT, evaluator_place(e, node), "expected a list");
    }
}

/* value in list */
struct search {
    struct value wanted;
    bool found;
};

/* Evaluates all values, as Python does: an error anywhere in the list is one even if the value is found before. */
static bool search_visit(void *context, struct value value)
{
    struct search *search = context;
    search->found = search->found || value_equal(search->wanted, value);
    return true;
}

/* Membership in a range is computed, not searched for. */
static bool range_contains(const struct evaluator *e, const struct node *node, struct value wanted, bool *contains)
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

bool list_contains(const struct evaluator *e, const struct node *list, struct value wanted, bool *contains)
{
    if (list->kind == NODE_CALL && list->operation == FUNCTION_RANGE)
        return range_contains(e, list, wanted, contains);
    struct search search = {wanted, false};
    bool good = visit_list(e, list, search_visit, &search);
    *contains = search.found;
    return good;
}
