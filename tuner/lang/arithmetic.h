/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arithmetic.h - the operators of the language on values, as in Python 3.
 *
 * The differences from Python are those of 64-bit integers (overflow is a fault) and of floats that must stay finite
 * (a float that overflows is a fault too, where Python mostly gives inf).
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
    OPERATION_NEGATE, /* from here on: of one operand */
    OPERATION_PLUS,
    OPERATION_INVERT,
};

enum fault {
    FAULT_NONE,
    FAULT_KINDS,    /* operands of the wrong kind */
    FAULT_ZERO,     /* division by zero */
    FAULT_OVERFLOW, /* an integer of more than 64 bits or a float beyond the largest */
    FAULT_COMPLEX,  /* a power of a negative number that is not real */
    FAULT_SHIFT,    /* a negative shift */
};

enum fault arithmetic_binary(enum operation operation, struct value a, struct value b, struct value *result);
enum fault arithmetic_unary(enum operation operation, struct value a, struct value *result);

/* ORDER_NONE: different kinds, or not a number. Integers and floats are compared exactly. */
enum order { ORDER_LESS, ORDER_EQUAL, ORDER_GREATER, ORDER_NONE };
enum order arithmetic_order(struct value a, struct value b);

static inline bool value_is_number(struct value value)
{
    return value.kind == VALUE_INTEGER || value.kind == VALUE_FLOAT || value.kind == VALUE_BOOLEAN;
}

/* The number as a double (a long integer is rounded). */
double arithmetic_real(struct value number);

/* The number as an integer if it is whole and fits. */
bool arithmetic_whole(struct value value, int64_t *integer);

/* A whole double as an integer; false if it does not fit. */
bool arithmetic_fits(double real, int64_t *integer);

#endif
