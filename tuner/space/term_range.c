/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/term_range.h"

/* The common case: sums and products of integers that neither fail nor leave the range in which doubles are exact.
 * Fields are read and written one by one: loading a whole struct would stall on the store of its parts. */
static bool fast_range(const struct term *term, const struct range *a, const struct range *b, struct range *result)
{
    const double exact = 9007199254740992.0;
    double low, high;
    if ((a->kinds | b->kinds) != RANGE_INTEGER || a->fails || b->fails)
        return false;
    switch (term->operation) {
    case OPERATION_ADD:
        low = a->low + b->low;
        high = a->high + b->high;
        break;
    case OPERATION_SUBTRACT:
        low = a->low - b->high;
        high = a->high - b->low;
        break;
    case OPERATION_MULTIPLY:
        if (a->low < 0 || b->low < 0)
            return false;
        low = a->low * b->low;
        high = a->high * b->high;
        break;
    default:
        return false;
    }
    if (low < -exact || high > exact)
        return false;
    result->low = low;
    result->high = high;
    result->kinds = RANGE_INTEGER;
    result->fails = false;
    return true;
}

/* The same for comparisons of numbers. */
static bool fast_comparison(const struct term *term, const struct range *a, const struct range *b,
                            struct range *result)
{
    bool may_be_true, may_be_false;
    if ((a->kinds | b->kinds) & RANGE_STRING)
        return false;
    switch (term->operation) {
    case COMPARE_LESS:
        may_be_true = a->low < b->high;
        may_be_false = a->high >= b->low;
        break;
    case COMPARE_LESS_EQUAL:
        may_be_true = a->low <= b->high;
        may_be_false = a->high > b->low;
        break;
    case COMPARE_GREATER:
        may_be_true = a->high > b->low;
        may_be_false = a->low <= b->high;
        break;
    case COMPARE_GREATER_EQUAL:
        may_be_true = a->high >= b->low;
        may_be_false = a->low < b->high;
        break;
    default:
        return false;
    }
    result->low = may_be_false ? 0 : 1;
    result->high = may_be_true ? 1 : 0;
    result->kinds = RANGE_INTEGER;
    result->fails = a->fails || b->fails;
    return true;
}

/* Evaluation reaches no operand after the first that is certain to decide, so failures beyond it do not count. */
static struct range logic_range(const struct range *ranges, const uint32_t *slots, uint32_t count, bool is_or)
{
    bool fails = false, may_be_false = is_or, may_be_true = !is_or, sure = false;
    for (uint32_t i = 0; i < count && !sure; i++) {
        const struct range *operand = &ranges[slots[i]];
        sure = is_or ? operand->low > 0 : operand->high < 1;
        fails = fails || operand->fails;
        may_be_true = is_or ? may_be_true || operand->high > 0 : may_be_true && operand->high > 0;
        may_be_false = is_or ? may_be_false && operand->low < 1 : may_be_false || operand->low < 1;
    }
    return range_truth(may_be_false, may_be_true, fails);
}

static struct range in_term_range(const struct range *ranges, const uint32_t *slots, uint32_t count)
{
    struct range wanted = ranges[slots[0]];
    bool fails = wanted.fails, may_be_in = false;
    for (uint32_t i = 1; i < count; i++) {
        struct range equal = range_compare(COMPARE_EQUAL, wanted, ranges[slots[i]]);
        fails = fails || equal.fails;
        may_be_in = may_be_in || equal.high > 0;
    }
    return range_truth(true, may_be_in, fails);
}

static struct range choice_range(struct range condition, struct range if_true, struct range if_false)
{
    struct range result = range_hull(if_true, if_false);
    if (condition.low > 0)
        result = if_true;
    else if (condition.high < 1)
        result = if_false;
    result.fails = result.fails || condition.fails;
    return result;
}

static struct range call_range(const struct term *term, const struct range *ranges, const uint32_t *slots)
{
    enum function function = (enum function)term->operation;
    struct range arguments[FUNCTION_ARGUMENTS], result = ranges[slots[0]];
    if (function == FUNCTION_MIN || function == FUNCTION_MAX) {
        for (uint32_t i = 1; i < term->count; i++)
            result = range_extremum(function, result, ranges[slots[i]]);
        return result;
    }
    for (uint32_t i = 0; i < term->count && i < FUNCTION_ARGUMENTS; i++)
        arguments[i] = ranges[slots[i]];
    return range_call(function, arguments);
}

static struct range slow_range(const struct term *term, const struct range *ranges, const uint32_t *slots)
{
    struct range a = term->count > 0 ? ranges[slots[0]] : range_unknown();
    struct range b = term->count > 1 ? ranges[slots[1]] : range_unknown();
    switch ((enum term_kind)term->kind) {
    case TERM_CONSTANT:
        return range_of(term->constant);
    case TERM_VARIABLE:
        return term->range;
    case TERM_UNARY:
        return range_unary((enum operation)term->operation, a);
    case TERM_BINARY:
        return range_binary((enum operation)term->operation, a, b);
    case TERM_TRUTH:
        return range_of_truth(a);
    case TERM_NOT:
        return range_truth(a.high > 0, a.low < 1, a.fails);
    case TERM_AND:
    case TERM_OR:
        return logic_range(ranges, slots, term->count, term->kind == TERM_OR);
    case TERM_HOLDS:
        return range_truth(a.low < 1 || a.fails, a.high > 0, false);
    case TERM_COMPARE:
        return range_compare((enum comparison)term->operation, a, b);
    case TERM_IN:
        return in_term_range(ranges, slots, term->count);
    case TERM_IN_RANGE:
        return range_truth(true, true, a.fails);
    case TERM_IN_STRING:
        return range_truth(true, true, a.fails || b.fails || a.kinds != RANGE_STRING || b.kinds != RANGE_STRING);
    case TERM_CHOICE:
        return choice_range(a, b, ranges[slots[2]]);
    case TERM_CALL:
        return call_range(term, ranges, slots);
    case TERM_FOREIGN:
        break;
    }
    return range_unknown();
}

void term_range(const struct term *term, const struct range *ranges, const uint32_t *slots, struct range *result)
{
    if (term->kind == TERM_BINARY && fast_range(term, &ranges[slots[0]], &ranges[slots[1]], result))
        return;
    if (term->kind == TERM_COMPARE && fast_comparison(term, &ranges[slots[0]], &ranges[slots[1]], result))
        return;
    *result = slow_range(term, ranges, slots);
}
