/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/term.h"

#include "tuner/space/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

static const struct value FAILURE = {.kind = VALUE_UNSET};

static void foreign_clear(struct foreign *foreign)
{
    free((size_t *)foreign->slots);
    free(foreign->scratch);
}

void terms_free(struct terms *terms)
{
    for (size_t i = 0; i < terms->foreign_count; i++)
        foreign_clear(&terms->foreigns[i]);
    free(terms->items);
    free(terms->operands);
    free(terms->table);
    free(terms->foreigns);
}

bool term_is_truth(const struct term *term)
{
    switch ((enum term_kind)term->kind) {
    case TERM_CONSTANT:
        return term->constant.kind == VALUE_BOOLEAN;
    case TERM_TRUTH:
    case TERM_NOT:
    case TERM_AND:
    case TERM_OR:
    case TERM_HOLDS:
    case TERM_COMPARE:
    case TERM_IN:
    case TERM_IN_RANGE:
    case TERM_IN_STRING:
        return true;
    default:
        return false;
    }
}

/* Values */

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

/* and: `decides` is false; or: true. The first operand that decides or fails is the last that is looked at. */
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
    memcpy(foreign->scratch, foreign->base, foreign->slot_count * sizeof *foreign->scratch);
    for (uint32_t i = 0; i < count; i++)
        foreign->scratch[foreign->slots[i]] = values[operands[i]];
    slots_set_lets(foreign->template, foreign->space, foreign->scratch);
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

/* Fields are read and written one by one: whole structs would wait for their parts to be stored. */
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

/* Ranges */

/* What most terms are: sums and products of integers that neither fail nor leave what a double holds, and comparisons
 * of numbers. Fields are read and written one by one, since whole structs would wait for their parts to be stored. */
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

/* Failures count up to the first operand that surely decides; a later one that decides does so only if those before
 * it do not fail. */
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

/* Building */

static bool reserve(void **items, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return true;
    size_t larger = *capacity ? *capacity : 64;
    while (larger < wanted)
        larger *= 2;
    void *moved = realloc(*items, larger * size);
    if (!moved)
        return false;
    *items = moved;
    *capacity = larger;
    return true;
}

static uint64_t hash_of(const struct term *term, const term_id *operands)
{
    uint64_t words[4] = {(uint64_t)term->kind << 8 | term->operation | (uint64_t)term->constant.kind << 16,
                         term->index, 0, 0};
    if (term->kind == TERM_CONSTANT && term->constant.kind == VALUE_STRING)
        words[2] = XXH3_64bits(term->constant.string, strlen(term->constant.string));
    else if (term->kind == TERM_CONSTANT && term->constant.kind == VALUE_BOOLEAN)
        words[2] = term->constant.boolean;
    else if (term->kind == TERM_CONSTANT)
        memcpy(&words[2], &term->constant.integer, sizeof words[2]);
    words[3] = XXH3_64bits(operands, term->count * sizeof *operands);
    return XXH3_64bits(words, sizeof words);
}

/* The same constant, of the same kind: 1 and 1.0 are equal but not the same. */
static bool same_constant(struct value a, struct value b)
{
    if (a.kind != b.kind)
        return false;
    switch (a.kind) {
    case VALUE_BOOLEAN:
        return a.boolean == b.boolean;
    case VALUE_INTEGER:
        return a.integer == b.integer;
    case VALUE_FLOAT:
        return a.real == b.real && !signbit(a.real) == !signbit(b.real); /* -0.0 is not 0.0 */
    case VALUE_STRING:
        return strcmp(a.string, b.string) == 0;
    case VALUE_UNSET:
        break;
    }
    return true;
}

static bool same_term(const struct terms *terms, const struct term *a, const struct term *b, const term_id *operands)
{
    return a->kind == b->kind && a->operation == b->operation && a->count == b->count && a->index == b->index &&
           same_constant(a->constant, b->constant) &&
           (a->count == 0 || memcmp(term_operands(terms, a), operands, a->count * sizeof *operands) == 0);
}

static bool grow_table(struct terms *terms)
{
    size_t capacity = terms->table_capacity ? 2 * terms->table_capacity : 256;
    uint32_t *table = calloc(capacity, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < terms->count; i++) {
        const struct term *term = &terms->items[i];
        size_t at = hash_of(term, term_operands(terms, term)) & (capacity - 1);
        while (table[at])
            at = (at + 1) & (capacity - 1);
        table[at] = (uint32_t)i + 1;
    }
    free(terms->table);
    terms->table = table;
    terms->table_capacity = capacity;
    return true;
}

static term_id intern(struct terms *terms, const struct term *term, const term_id *operands)
{
    if (2 * terms->count >= terms->table_capacity && !grow_table(terms))
        goto failed;
    size_t at = hash_of(term, operands) & (terms->table_capacity - 1);
    for (; terms->table[at]; at = (at + 1) & (terms->table_capacity - 1)) {
        if (same_term(terms, &terms->items[terms->table[at] - 1], term, operands))
            return terms->table[at] - 1;
    }
    if (!reserve((void **)&terms->items, &terms->capacity, terms->count + 1, sizeof *terms->items) ||
        !reserve((void **)&terms->operands, &terms->operand_capacity, terms->operand_count + term->count + 1,
                 sizeof *terms->operands))
        goto failed;
    struct term *added = &terms->items[terms->count];
    *added = *term;
    added->first = (uint32_t)terms->operand_count;
    if (term->count > 0) /* else `operands` may be NULL */
        memcpy(terms->operands + terms->operand_count, operands, term->count * sizeof *operands);
    terms->operand_count += term->count;
    terms->table[at] = (uint32_t)++terms->count;
    return (term_id)terms->count - 1;
failed:
    terms->failed = true;
    return 0;
}

term_id term_constant(struct terms *terms, struct value value)
{
    struct term term = {.kind = TERM_CONSTANT, .constant = value, .range = range_of(value)};
    return intern(terms, &term, NULL);
}

term_id term_variable(struct terms *terms, size_t index, const struct value *values, size_t count)
{
    struct term term = {.kind = TERM_VARIABLE, .index = index};
    term.range = range_of(values[0]);
    for (size_t i = 1; i < count; i++)
        term.range = range_hull(term.range, range_of(values[i]));
    return intern(terms, &term, NULL);
}

static bool is_constant(const struct terms *terms, term_id id)
{
    return terms->items[id].kind == TERM_CONSTANT;
}

/* The value of a term whose operands are all constants. */
static term_id fold(struct terms *terms, const struct term *term, const term_id *operands)
{
    struct value *values = calloc(terms->count + 1, sizeof *values);
    term_id id = intern(terms, term, operands);
    if (!values || terms->failed) {
        terms->failed = true;
        free(values);
        return 0;
    }
    for (uint32_t i = 0; i < term->count; i++)
        values[operands[i]] = terms->items[operands[i]].constant;
    struct value value = term_value(terms, id, values);
    free(values);
    return term_constant(terms, value);
}

static struct range range_from(const struct terms *terms, const struct term *term, const term_id *operands)
{
    struct range few[8], *ranges = few, result;
    uint32_t few_slots[8], *slots = few_slots;
    if (term->count > 8) {
        ranges = malloc(term->count * sizeof *ranges);
        slots = malloc(term->count * sizeof *slots);
    }
    for (uint32_t i = 0; i < term->count && ranges && slots; i++) {
        ranges[i] = terms->items[operands[i]].range;
        slots[i] = i;
    }
    if (ranges && slots)
        term_range(term, ranges, slots, &result);
    else
        result = range_unknown(); /* wider than need be, and right */
    if (term->count > 8) {
        free(ranges);
        free(slots);
    }
    return result;
}

static term_id make(struct terms *terms, const struct term *given, const term_id *operands)
{
    struct term term = *given;
    bool constant = true;
    for (uint32_t i = 0; i < term.count; i++)
        constant = constant && is_constant(terms, operands[i]);
    if (constant)
        return fold(terms, &term, operands);
    term.range = range_from(terms, &term, operands);
    if (term_is_truth(&term) && range_is_true(term.range))
        return term_constant(terms, value_boolean(true));
    if (term_is_truth(&term) && range_is_false(term.range))
        return term_constant(terms, value_boolean(false));
    return intern(terms, &term, operands);
}

/* Flattens operands of the same kind, leaves out those that change nothing and those behind one that decides. */
static term_id make_logic(struct terms *terms, enum term_kind kind, const term_id *operands, size_t count)
{
    struct term term = {.kind = (uint8_t)kind};
    bool decides = kind == TERM_OR;
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += terms->items[operands[i]].kind == kind ? terms->items[operands[i]].count : 1;
    term_id *flat = malloc((total + 1) * sizeof *flat);
    if (!flat) {
        terms->failed = true;
        return 0;
    }
    bool decided = false;
    for (size_t i = 0; i < count && !decided; i++) {
        const struct term *operand = &terms->items[operands[i]];
        const term_id *items = operand->kind == kind ? term_operands(terms, operand) : &operands[i];
        uint32_t items_count = operand->kind == kind ? operand->count : 1;
        for (uint32_t k = 0; k < items_count && !decided; k++) {
            const struct term *item = &terms->items[items[k]];
            if (item->kind == TERM_CONSTANT && item->constant.kind == VALUE_BOOLEAN &&
                item->constant.boolean != decides)
                continue;
            flat[term.count++] = items[k];
            decided = item->kind == TERM_CONSTANT;
        }
    }
    term_id id = term.count == 0   ? term_constant(terms, value_boolean(!decides))
                 : term.count == 1 ? flat[0]
                                   : make(terms, &term, flat);
    free(flat);
    return id;
}

term_id term_truth(struct terms *terms, term_id id)
{
    if (terms->failed || term_is_truth(&terms->items[id]))
        return id;
    struct term term = {.kind = TERM_TRUTH, .count = 1};
    return make(terms, &term, &id);
}

static term_id not_logic(struct terms *terms, term_id id)
{
    struct term term = terms->items[id];
    term_id *opposites = calloc((size_t)term.count + 1, sizeof *opposites);
    if (!opposites) {
        terms->failed = true;
        return 0;
    }
    for (uint32_t i = 0; i < term.count; i++)
        opposites[i] = term_not(terms, term_operands(terms, &term)[i]);
    term_id result =
        terms->failed ? 0 : make_logic(terms, term.kind == TERM_AND ? TERM_OR : TERM_AND, opposites, term.count);
    free(opposites);
    return result;
}

/* De Morgan's laws hold for Python's order of evaluation too. */
term_id term_not(struct terms *terms, term_id id)
{
    if (terms->failed)
        return 0;
    struct term term = terms->items[id];
    if (term.kind == TERM_NOT)
        return term_operands(terms, &term)[0];
    if (term.kind == TERM_AND || term.kind == TERM_OR)
        return not_logic(terms, id);
    bool equality = term.operation == COMPARE_EQUAL || term.operation == COMPARE_NOT_EQUAL;
    if (term.kind == TERM_COMPARE && equality) {
        const term_id operands[] = {term_operands(terms, &term)[0], term_operands(terms, &term)[1]};
        return term_make(terms, TERM_COMPARE, term.operation == COMPARE_EQUAL ? COMPARE_NOT_EQUAL : COMPARE_EQUAL,
                         operands, 2);
    }
    struct term opposite = {.kind = TERM_NOT, .count = 1};
    return make(terms, &opposite, &id);
}

/* min(a, b, c) is min(min(a, b), c): what is known of the first operands is one value. */
static term_id make_extremum(struct terms *terms, unsigned function, const term_id *operands, size_t count)
{
    term_id id = operands[0];
    for (size_t i = 1; i < count && !terms->failed; i++) {
        const term_id pair[] = {id, operands[i]};
        struct term term = {.kind = TERM_CALL, .operation = (uint8_t)function, .count = 2};
        id = make(terms, &term, pair);
    }
    return id;
}

/* Is it a call of that function whose result is an integer without fail? */
static bool is_extremum(const struct term *term, enum function function)
{
    return term->kind == TERM_CALL && term->operation == function && term->count == 2 &&
           term->range.kinds == RANGE_INTEGER && !term->range.fails;
}

/* min(a, b) >= c if and only if a >= c and b >= c, and max(a, b) <= c likewise: then each stands alone. */
static bool distribute(struct terms *terms, unsigned comparison, const term_id *operands, term_id *id)
{
    bool greater = comparison == COMPARE_GREATER || comparison == COMPARE_GREATER_EQUAL;
    if (!greater && comparison != COMPARE_LESS && comparison != COMPARE_LESS_EQUAL)
        return false;
    for (size_t side = 0; side < 2; side++) {
        struct term extremum = terms->items[operands[side]], other = terms->items[operands[1 - side]];
        if (!is_extremum(&extremum, greater == (side == 0) ? FUNCTION_MIN : FUNCTION_MAX) ||
            other.range.kinds != RANGE_INTEGER || other.range.fails)
            continue;
        term_id pairs[2];
        for (size_t i = 0; i < 2; i++) {
            term_id sides[] = {operands[0], operands[1]};
            sides[side] = term_operands(terms, &extremum)[i];
            pairs[i] = term_make(terms, TERM_COMPARE, comparison, sides, 2);
        }
        *id = term_make(terms, TERM_AND, 0, pairs, 2);
        return true;
    }
    return false;
}

term_id term_make(struct terms *terms, enum term_kind kind, unsigned operation, const term_id *operands, size_t count)
{
    if (terms->failed)
        return 0;
    if (kind == TERM_AND || kind == TERM_OR)
        return make_logic(terms, kind, operands, count);
    if (kind == TERM_CHOICE && is_constant(terms, operands[0]) &&
        terms->items[operands[0]].constant.kind == VALUE_BOOLEAN)
        return operands[terms->items[operands[0]].constant.boolean ? 1 : 2];
    if (kind == TERM_CALL && (operation == FUNCTION_MIN || operation == FUNCTION_MAX) && count > 2)
        return make_extremum(terms, operation, operands, count);
    term_id distributed;
    if (kind == TERM_COMPARE && distribute(terms, operation, operands, &distributed))
        return distributed;
    struct term term = {.kind = (uint8_t)kind, .operation = (uint8_t)operation, .count = (uint32_t)count};
    return make(terms, &term, operands);
}

term_id term_foreign(struct terms *terms, const struct foreign *foreign, const term_id *operands, size_t count)
{
    struct term term = {.kind = TERM_FOREIGN, .count = (uint32_t)count, .range = range_unknown()};
    if (terms->failed || !reserve((void **)&terms->foreigns, &terms->foreign_capacity, terms->foreign_count + 1,
                                  sizeof *terms->foreigns)) {
        foreign_clear(&(struct foreign){.slots = foreign->slots, .scratch = foreign->scratch});
        terms->failed = true;
        return 0;
    }
    term.index = terms->foreign_count;
    terms->foreigns[terms->foreign_count++] = *foreign;
    return make(terms, &term, operands);
}
