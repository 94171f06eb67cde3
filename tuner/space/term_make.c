/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/term_make.h"

#include "tuner/space/term_range.h"
#include "tuner/space/term_value.h"

#include <stdlib.h>

static bool is_constant(const struct terms *terms, term_id id)
{
    return terms->items[id].kind == TERM_CONSTANT;
}

/* The value of a term whose operands are all constants. */
static term_id fold(struct terms *terms, const struct term *term, const term_id *operands)
{
    struct value *values = calloc(terms->count + 1, sizeof *values);
    term_id id = term_intern(terms, term, operands);
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

static struct range range_from(struct terms *terms, const struct term *term, const term_id *operands)
{
    struct range few[8], *ranges = few, result = range_unknown();
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
        terms->failed = true;
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
    if (terms->failed)
        return 0;
    if (term_is_truth(&term) && range_is_true(term.range))
        return term_constant(terms, value_boolean(true));
    if (term_is_truth(&term) && range_is_false(term.range))
        return term_constant(terms, value_boolean(false));
    return term_intern(terms, &term, operands);
}

/* Flatten operands of the same kind; drop those that change nothing and those after one that decides. */
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

/* De Morgan's laws hold for short-circuit evaluation too. */
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

/* min(a, b, c) is min(min(a, b), c), so that the known operands reduce to one value. */
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

/* Is it a call of that function that always gives an integer? */
static bool is_extremum(const struct term *term, enum function function)
{
    return term->kind == TERM_CALL && term->operation == function && term->count == 2 &&
           term->range.kinds == RANGE_INTEGER && !term->range.fails;
}

/* min(a, b) >= c if and only if a >= c and b >= c (max(a, b) <= c likewise): two requirements that can be tested
 * separately. */
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
    term.index = term_add_foreign(terms, foreign);
    return terms->failed ? 0 : make(terms, &term, operands);
}
