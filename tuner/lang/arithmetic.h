/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arithmetic.h - the language's operators on values, as in Python 3.
 *
 * Unlike Python, integers have 64 bits and floats must stay finite: overflow of either is a fault.
 */
#ifndef TUNE_LANG_ARITHMETIC_H
#define TUNE_LANG_ARITHMETIC_H

#include "tuner/lang/value.h"

enum operation {
    OPERATION_ADD,
    OPERATION_SUBTRACT,
    OPERATION_MULTIPLY,
    OPERATION_DIVIDE,
    OPERATION_FLOOR_DIVIDE,
    OPERATION_MODULO,
    OPERATION_POWER,
    OPERATION_AND, /* bitwise */
    OPERATION_OR,
    OPERATION_XOR,
    OPERATION_SHIFT_LEFT,
    OPERATION_SHIFT_RIGHT,
    OPERATION_NEGATE, /* unary from here on */
    OPERATION_PLUS,
    OPERATION_INVERT,
};

enum fault {
    FAULT_NONE,
    FAULT_KINDS,    /* operands of wrong kinds */
    FAULT_ZERO,     /* division by zero */
    FAULT_OVERFLOW, /* an integer needs more than 64 bits, or a float is not finite */
    FAULT_COMPLEX,  /* a power of a negative number is not real */
    FAULT_SHIFT,    /* a negative shift count */
};

enum fault arithmetic_binary(enum operation operation, struct value a, struct value b, struct value *result);
enum fault arithmetic_unary(enum operation operation, struct value a, struct value *result);

/* Integers and floats compare exactly. ORDER_NONE: kinds that cannot be compared, or NaN. */
enum order { ORDER_LESS, ORDER_EQUAL, ORDER_GREATER, ORDER_NONE };
enum order arithmetic_order(struct value a, struct value b);

static inline bool value_is_number(struct value value)
{
    return value.kind == VALUE_INTEGER || value.kind == VALUE_FLOAT || value.kind == VALUE_BOOLEAN;
}

/* The number as a double; integers beyond 2**53 are rounded. */
double arithmetic_real(struct value number);

/* The number as an integer; false unless it is whole and fits. */
bool arithmetic_whole(struct value value, int64_t *integer);

/* A whole double as an integer; false if it does not fit. */
bool arithmetic_fits(double real, int64_t *integer);

#endif
