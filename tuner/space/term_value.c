/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/term_value.h"

#include "tuner/space/slots.h"

#include <string.h>

static const struct value FAILURE = {.kind = VALUE_UNSET};

static bool fast_integers(unsigned operation, int64_t a, int64_t b, struct value *result)
{
    result->kind = VALUE_INTEGER;
    switch (operation) {
    case OPERATION_ADD:
        return !__builtin_add_overflow(a, b, &result->integer);
    case OPERATION_SUBTRACT:
        return !__builtin_sub_overflow(a, b, &result->integer);
    case OPERATION_MULTIPLY:
        return !__builtin_mul_overflow(a, b, &result->integer);
    case OPERATION_AND:
        result->integer = a & b;
        return true;
    case OPERATION_OR:
        result->integer = a | b;
        return true;
    case OPERATION_XOR:
        result->integer = a ^ b;
        return true;
    case OPERATION_FLOOR_DIVIDE:
    case OPERATION_MODULO:
        if (b == 0 || ((uint64_t)a | (uint64_t)b) >> 32)
            return false;
        result->integer = operation == OPERATION_MODULO ? (int64_t)((uint32_t)a % (uint32_t)b)
                                                        : (int64_t)((uint32_t)a / (uint32_t)b);
        return true;
    default:
        return false;
    }
}

static struct value binary_value(unsigned operation, struct value a, struct value b)
{
    struct value result;
    if (a.kind == VALUE_INTEGER && b.kind == VALUE_INTEGER && fast_integers(operation, a.integer, b.integer, &result))
        return result;
    if (a.kind == VALUE_UNSET || b.kind == VALUE_UNSET)
        return FAILURE;
    return arithmetic_binary((enum operation)operation, a, b, &result) == FAULT_NONE ? result : FAILURE;
}

static struct value unary_value(unsigned operation, struct value a)
{
    struct value result;
    if (a.kind == VALUE_UNSET)
        return FAILURE;
    return arithmetic_unary((enum operation)operation, a, &result) == FAULT_NONE ? result : FAILURE;
}

static bool ordered(unsigned comparison, enum order order)
{
    switch (comparison) {
    case COMPARE_LESS:
        return order == ORDER_LESS;
    case COMPARE_LESS_EQUAL:
        return order == ORDER_LESS || order == ORDER_EQUAL;
    case COMPARE_GREATER:
        return order == ORDER_GREATER;
    case COMPARE_GREATER_EQUAL:
        return order == ORDER_GREATER || order == ORDER_EQUAL;
    case COMPARE_EQUAL:
        return order == ORDER_EQUAL;
    default:
        return order != ORDER_EQUAL;
    }
}

static bool compare_integers(unsigned comparison, int64_t a, int64_t b)
{
    switch (comparison) {
    case COMPARE_LESS:
        return a < b;
    case COMPARE_LESS_EQUAL:
        return a <= b;
    case COMPARE_GREATER:
        return a > b;
    case COMPARE_GREATER_EQUAL:
        return a >= b;
    case COMPARE_EQUAL:
        return a == b;
    default:
        return a != b;
    }
}

static struct value compare_value(unsigned comparison, struct value a, struct value b)
{
    if (a.kind == VALUE_INTEGER && b.kind == VALUE_INTEGER)
        return value_boolean(compare_integers(comparison, a.integer, b.integer));
    if (a.kind == VALUE_UNSET || b.kind == VALUE_UNSET)
        return FAILURE;
    enum order order = arithmetic_order(a, b);
    bool equality = comparison == COMPARE_EQUAL || comparison == COMPARE_NOT_EQUAL;
    if (order == ORDER_NONE && !equality && !(value_is_number(a) && value_is_number(b)))
        return FAILURE;
    return value_boolean(ordered(comparison, order));
}

/* `decides` is false for and, true for or. Evaluation stops at the first operand that decides or fails. */
static struct value logic_value(const term_id *operands, uint32_t count, bool decides, const struct value *values)
{
    for (uint32_t i = 0; i < count; i++) {
        struct value value = values[operands[i]];
        if (value.kind == VALUE_UNSET || value.boolean == decides)
            return value;
    }
    return value_boolean(!decides);
}

static struct value in_value(const term_id *operands, uint32_t count, const struct value *values)
{
    struct value wanted = values[operands[0]];
    bool found = false;
    if (wanted.kind == VALUE_UNSET)
        return FAILURE;
    for (uint32_t i = 1; i < count; i++) {
        struct value value = values[operands[i]];
        if (value.kind == VALUE_UNSET)
            return FAILURE;
        found = found || value_equal(wanted, value);
    }
    return value_boolean(found);
}

static struct value in_range_value(struct value wanted, int64_t first, int64_t step, int64_t count)
{
    int64_t whole, distance;
    if (wanted.kind == VALUE_UNSET)
        return FAILURE;
    if (count == 0 || !value_is_number(wanted) || !arithmetic_whole(wanted, &whole))
        return value_boolean(false);
    bool overflow =
        step > 0 ? __builtin_sub_overflow(whole, first, &distance) : __builtin_sub_overflow(first, whole, &distance);
    int64_t stride = step > 0 ? step : -step;
    return value_boolean(!overflow && distance >= 0 && distance % stride == 0 && distance / stride < count);
}

static struct value in_string_value(struct value part, struct value whole)
{
    if (part.kind != VALUE_STRING || whole.kind != VALUE_STRING)
        return FAILURE;
    return value_boolean(strstr(whole.string, part.string) != NULL);
}

static struct value extremum_value(unsigned function, const term_id *operands, uint32_t count,
                                   const struct value *values)
{
    enum order better = function == FUNCTION_MIN ? ORDER_LESS : ORDER_GREATER;
    struct value best = values[operands[0]];
    for (uint32_t i = 1; i < count && best.kind != VALUE_UNSET; i++) {
        struct value value = values[operands[i]];
        enum order order = value.kind == VALUE_UNSET ? ORDER_NONE : arithmetic_order(value, best);
        if (order == ORDER_NONE)
            return FAILURE;
        if (order == better)
            best = value;
    }
    return best;
}

static struct value call_value(unsigned function, const term_id *operands, uint32_t count, const struct value *values)
{
    struct value arguments[FUNCTION_ARGUMENTS], result;
    if (function == FUNCTION_MIN || function == FUNCTION_MAX)
        return extremum_value(function, operands, count, values);
    for (uint32_t i = 0; i < count; i++) {
        arguments[i] = values[operands[i]];
        if (arguments[i].kind == VALUE_UNSET)
            return FAILURE;
    }
    struct place nowhere = {.file = NULL};
    return functions[function].apply(arguments, nowhere, &result, NULL) ? result : FAILURE;
}

static struct value foreign_value(const struct foreign *foreign, const term_id *operands, uint32_t count,
                                  const struct value *values)
{
    struct value result;
    for (uint32_t i = 0; i < count; i++)
        foreign->scratch[foreign->slots[i]] = values[operands[i]];
    for (size_t i = 0; i < foreign->let_count; i++)
        slots_set_let(foreign->lets[i], foreign->scratch);
    return expr_evaluate(&foreign->expr, foreign->scratch, &result, NULL) ? result : FAILURE;
}

struct value term_value(const struct terms *terms, term_id id, const struct value *values)
{
    const struct term *term = &terms->items[id];
    const term_id *operands = term_operands(terms, term);
    struct value a;
    switch ((enum term_kind)term->kind) {
    case TERM_CONSTANT:
        return term->constant;
    case TERM_VARIABLE:
        return values[id];
    case TERM_UNARY:
        return unary_value(term->operation, values[operands[0]]);
    case TERM_BINARY:
        return binary_value(term->operation, values[operands[0]], values[operands[1]]);
    case TERM_TRUTH:
        a = values[operands[0]];
        return a.kind == VALUE_UNSET ? FAILURE : value_boolean(value_truth(a));
    case TERM_NOT:
        a = values[operands[0]];
        return a.kind == VALUE_UNSET ? FAILURE : value_boolean(!a.boolean);
    case TERM_AND:
    case TERM_OR:
        return logic_value(operands, term->count, term->kind == TERM_OR, values);
    case TERM_HOLDS:
        a = values[operands[0]];
        return value_boolean(a.kind != VALUE_UNSET && a.boolean);
    case TERM_COMPARE:
        return compare_value(term->operation, values[operands[0]], values[operands[1]]);
    case TERM_IN:
        return in_value(operands, term->count, values);
    case TERM_IN_RANGE:
        return in_range_value(values[operands[0]], values[operands[1]].integer, values[operands[2]].integer,
                              values[operands[3]].integer);
    case TERM_IN_STRING:
        return in_string_value(values[operands[0]], values[operands[1]]);
    case TERM_CHOICE:
        a = values[operands[0]];
        return a.kind == VALUE_UNSET ? FAILURE : values[operands[a.boolean ? 1 : 2]];
    case TERM_CALL:
        return call_value(term->operation, operands, term->count, values);
    case TERM_FOREIGN:
        return foreign_value(&terms->foreigns[term->index], operands, term->count, values);
    }
    return FAILURE;
}

/* Fields are read and written one by one: loading a whole struct would stall on the store of its parts. */
void term_evaluate(const struct terms *terms, term_id id, struct value *values)
{
    const struct term *term = &terms->items[id];
    if (term->kind == TERM_BINARY || term->kind == TERM_COMPARE) {
        const term_id *operands = term_operands(terms, term);
        const struct value *a = &values[operands[0]], *b = &values[operands[1]];
        struct value *result = &values[id];
        if (a->kind == VALUE_INTEGER && b->kind == VALUE_INTEGER) {
            if (term->kind == TERM_COMPARE) {
                result->boolean = compare_integers(term->operation, a->integer, b->integer);
                result->kind = VALUE_BOOLEAN;
                return;
            }
            if (fast_integers(term->operation, a->integer, b->integer, result))
                return;
        }
    }
    values[id] = term_value(terms, id, values);
}
