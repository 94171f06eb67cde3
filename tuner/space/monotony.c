/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/monotony.h"

static uint8_t opposite(uint8_t monotony)
{
    return monotony == MONOTONY_RISING ? MONOTONY_FALLING : monotony == MONOTONY_FALLING ? MONOTONY_RISING : monotony;
}

static uint8_t joint(uint8_t a, uint8_t b)
{
    if (a == MONOTONY_CONSTANT || a == b)
        return b;
    return b == MONOTONY_CONSTANT ? a : MONOTONY_UNKNOWN;
}

uint8_t monotony_of_difference(uint8_t of_a, uint8_t of_b)
{
    return joint(of_a, opposite(of_b));
}

static uint8_t product(struct range a, struct range b, uint8_t of_a, uint8_t of_b)
{
    if (a.low >= 0 && b.low >= 0)
        return joint(of_a, of_b);
    if (of_a == MONOTONY_CONSTANT && (a.low >= 0 || a.high <= 0))
        return a.low >= 0 ? of_b : opposite(of_b);
    if (of_b == MONOTONY_CONSTANT && (b.low >= 0 || b.high <= 0))
        return b.low >= 0 ? of_a : opposite(of_a);
    return MONOTONY_UNKNOWN;
}

static uint8_t quotient(struct range a, struct range b, uint8_t of_a, uint8_t of_b)
{
    if (b.low <= 0 || (a.low < 0 && of_b != MONOTONY_CONSTANT))
        return MONOTONY_UNKNOWN;
    return joint(of_a, opposite(of_b));
}

static uint8_t of_binary(enum operation operation, struct range a, struct range b, uint8_t of_a, uint8_t of_b)
{
    bool integers = a.kinds == RANGE_INTEGER && b.kinds == RANGE_INTEGER;
    switch (operation) {
    case OPERATION_ADD:
        return joint(of_a, of_b);
    case OPERATION_SUBTRACT:
        return monotony_of_difference(of_a, of_b);
    case OPERATION_MULTIPLY:
        return product(a, b, of_a, of_b);
    case OPERATION_DIVIDE:
        return quotient(a, b, of_a, of_b);
    case OPERATION_FLOOR_DIVIDE: /* that of floats may be off by one */
        return integers ? quotient(a, b, of_a, of_b) : MONOTONY_UNKNOWN;
    case OPERATION_SHIFT_LEFT:
        return a.low >= 0 ? joint(of_a, of_b) : MONOTONY_UNKNOWN;
    default:
        return MONOTONY_UNKNOWN;
    }
}

static uint8_t of_comparison(enum comparison comparison, uint8_t of_a, uint8_t of_b)
{
    switch (comparison) {
    case COMPARE_LESS:
    case COMPARE_LESS_EQUAL:
        return joint(opposite(of_a), of_b);
    case COMPARE_GREATER:
    case COMPARE_GREATER_EQUAL:
        return monotony_of_difference(of_a, of_b);
    default:
        return MONOTONY_UNKNOWN;
    }
}

static uint8_t of_call(enum function function, struct range a, uint8_t of_a, uint8_t of_all)
{
    switch (function) {
    case FUNCTION_MIN:
    case FUNCTION_MAX:
        return of_all;
    case FUNCTION_CEIL:
    case FUNCTION_FLOOR:
    case FUNCTION_INT:
    case FUNCTION_ROUND:
    case FUNCTION_FLOAT:
    case FUNCTION_SQRT:
        return of_a;
    case FUNCTION_ABS:
        return a.low >= 0 ? of_a : MONOTONY_UNKNOWN;
    default:
        return MONOTONY_UNKNOWN;
    }
}

/* The monotony of a term that depends on the variable. */
static uint8_t of_term(const struct terms *terms, const struct term *term, const uint8_t *of)
{
    const term_id *operands = term_operands(terms, term);
    struct range a = terms->items[operands[0]].range;
    uint8_t of_a = of[operands[0]], of_all = MONOTONY_CONSTANT;
    for (uint32_t i = 0; i < term->count; i++)
        of_all = joint(of_all, of[operands[i]]);
    switch ((enum term_kind)term->kind) {
    case TERM_UNARY:
        return term->operation == OPERATION_PLUS ? of_a : opposite(of_a);
    case TERM_BINARY:
        return of_binary((enum operation)term->operation, a, terms->items[operands[1]].range, of_a, of[operands[1]]);
    case TERM_TRUTH:
        return a.low >= 0 && !(a.kinds & RANGE_STRING) ? of_a : MONOTONY_UNKNOWN;
    case TERM_NOT:
        return opposite(of_a);
    case TERM_AND:
    case TERM_OR:
        return of_all;
    case TERM_COMPARE:
        return of_comparison((enum comparison)term->operation, of_a, of[operands[1]]);
    case TERM_CHOICE:
        return of_a == MONOTONY_CONSTANT ? of_all : MONOTONY_UNKNOWN;
    case TERM_CALL:
        return of_call((enum function)term->operation, a, of_a, of_all);
    default:
        return MONOTONY_UNKNOWN;
    }
}

void monotony_find(const struct terms *terms, size_t variable, uint8_t *result)
{
    for (size_t t = 0; t < terms->count; t++) {
        const struct term *term = &terms->items[t];
        bool depends = false;
        for (uint32_t i = 0; i < term->count; i++)
            depends = depends || result[term_operands(terms, term)[i]] != MONOTONY_CONSTANT;
        if (term->kind == TERM_VARIABLE)
            result[t] = term->index == variable ? MONOTONY_RISING : MONOTONY_CONSTANT;
        else
            result[t] = depends ? of_term(terms, term, result) : MONOTONY_CONSTANT;
    }
}
