/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/arithmetic.h"

#include <math.h>
#include <string.h>

static const double TWO_63 = 9223372036854775808.0;

/* Booleans are the integers 0 and 1. */
static struct value plain(struct value value)
{
    return value.kind == VALUE_BOOLEAN ? value_integer(value.boolean) : value;
}

double arithmetic_real(struct value number)
{
    number = plain(number);
    return number.kind == VALUE_INTEGER ? (double)number.integer : number.real;
}

bool arithmetic_fits(double real, int64_t *integer)
{
    if (!(real >= -TWO_63 && real < TWO_63))
        return false;
    *integer = (int64_t)real;
    return true;
}

bool arithmetic_whole(struct value value, int64_t *integer)
{
    value = plain(value);
    if (value.kind == VALUE_INTEGER) {
        *integer = value.integer;
        return true;
    }
    return value.kind == VALUE_FLOAT && value.real == floor(value.real) && arithmetic_fits(value.real, integer);
}

static enum order order_reals(double a, double b)
{
    return a < b ? ORDER_LESS : a > b ? ORDER_GREATER : a == b ? ORDER_EQUAL : ORDER_NONE;
}

static enum order order_integers(int64_t a, int64_t b)
{
    return a < b ? ORDER_LESS : a > b ? ORDER_GREATER : ORDER_EQUAL;
}

/* Exact: compare the float's whole part as an integer, then its fraction. */
static enum order order_mixed(int64_t a, double b)
{
    if (isnan(b))
        return ORDER_NONE;
    if (b >= TWO_63)
        return ORDER_LESS;
    if (b < -TWO_63)
        return ORDER_GREATER;
    double whole = trunc(b);
    enum order order = order_integers(a, (int64_t)whole);
    return order == ORDER_EQUAL ? order_reals(whole, b) : order;
}

static enum order reversed(enum order order)
{
    return order == ORDER_LESS ? ORDER_GREATER : order == ORDER_GREATER ? ORDER_LESS : order;
}

enum order arithmetic_order(struct value a, struct value b)
{
    a = plain(a);
    b = plain(b);
    if (a.kind == VALUE_INTEGER && b.kind == VALUE_INTEGER)
        return order_integers(a.integer, b.integer);
    if (a.kind == VALUE_FLOAT && b.kind == VALUE_FLOAT)
        return order_reals(a.real, b.real);
    if (a.kind == VALUE_INTEGER && b.kind == VALUE_FLOAT)
        return order_mixed(a.integer, b.real);
    if (a.kind == VALUE_FLOAT && b.kind == VALUE_INTEGER)
        return reversed(order_mixed(b.integer, a.real));
    if (a.kind == VALUE_STRING && b.kind == VALUE_STRING)
        return order_integers(strcmp(a.string, b.string), 0);
    return ORDER_NONE;
}

static enum fault finite_result(double real, struct value *result)
{
    *result = value_float(real);
    return isfinite(real) ? FAULT_NONE : FAULT_OVERFLOW;
}

__extension__ typedef unsigned __int128 wide;

/*
 * The correctly rounded quotient of two positive integers that need not be exact as doubles. The dividend is shifted
 * to the top of 128 bits, so that the quotient has at least 64; its last bit is set if there is a remainder, which
 * keeps the rounding to 53 bits correct.
 */
static double divide_wide(uint64_t a, uint64_t b)
{
    int shift = 64 + __builtin_clzll(a);
    wide dividend = (wide)a << shift;
    wide quotient = dividend / b | (dividend % b != 0);
    return ldexp((double)quotient, -shift);
}

static enum fault divide_integers(int64_t a, int64_t b, struct value *result)
{
    const int64_t exact = (int64_t)1 << 53; /* every integer up to here is a double */
    if (b == 0)
        return FAULT_ZERO;
    if (a >= -exact && a <= exact && b >= -exact && b <= exact)
        return finite_result((double)a / (double)b, result);
    uint64_t magnitude_a = a < 0 ? -(uint64_t)a : (uint64_t)a, magnitude_b = b < 0 ? -(uint64_t)b : (uint64_t)b;
    double quotient = a == 0 ? 0 : divide_wide(magnitude_a, magnitude_b);
    return finite_result((a < 0) != (b < 0) ? -quotient : quotient, result);
}

static enum fault floor_divide_integers(int64_t a, int64_t b, struct value *result)
{
    if (b == 0)
        return FAULT_ZERO;
    if (b == -1)
        return arithmetic_unary(OPERATION_NEGATE, value_integer(a), result);
    int64_t quotient = a / b;
    if (a % b != 0 && (a < 0) != (b < 0))
        quotient--;
    *result = value_integer(quotient);
    return FAULT_NONE;
}

static enum fault modulo_integers(int64_t a, int64_t b, struct value *result)
{
    if (b == 0)
        return FAULT_ZERO;
    int64_t rest = b == -1 ? 0 : a % b;
    if (rest != 0 && (rest < 0) != (b < 0))
        rest += b;
    *result = value_integer(rest);
    return FAULT_NONE;
}

static enum fault power_reals(double a, double b, struct value *result)
{
    if (a == 0 && b < 0)
        return FAULT_ZERO;
    if (a < 0 && b != floor(b))
        return FAULT_COMPLEX;
    return finite_result(pow(a, b), result);
}

static enum fault power_integers(int64_t base, int64_t exponent, struct value *result)
{
    if (exponent < 0)
        return power_reals((double)base, (double)exponent, result);
    int64_t power = 1;
    while (exponent > 0) {
        if ((exponent & 1) && __builtin_mul_overflow(power, base, &power))
            return FAULT_OVERFLOW;
        exponent >>= 1;
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base))
            return FAULT_OVERFLOW;
    }
    *result = value_integer(power);
    return FAULT_NONE;
}

static enum fault shift_left(int64_t a, int64_t count, struct value *result)
{
    if (count < 0)
        return FAULT_SHIFT;
    if (a != 0 && count > 62)
        return a == -1 && count == 63 ? (*result = value_integer(INT64_MIN), FAULT_NONE) : FAULT_OVERFLOW;
    int64_t shifted = 0;
    if (a != 0 && __builtin_mul_overflow(a, (int64_t)1 << count, &shifted))
        return FAULT_OVERFLOW;
    *result = value_integer(shifted);
    return FAULT_NONE;
}

static enum fault shift_right(int64_t a, int64_t count, struct value *result)
{
    if (count < 0)
        return FAULT_SHIFT;
    *result = value_integer(a >> (count > 63 ? 63 : count));
    return FAULT_NONE;
}

static enum fault binary_integers(enum operation operation, int64_t a, int64_t b, struct value *result)
{
    bool overflow = false;
    *result = value_integer(0);
    switch (operation) {
    case OPERATION_ADD:
        overflow = __builtin_add_overflow(a, b, &result->integer);
        break;
    case OPERATION_SUBTRACT:
        overflow = __builtin_sub_overflow(a, b, &result->integer);
        break;
    case OPERATION_MULTIPLY:
        overflow = __builtin_mul_overflow(a, b, &result->integer);
        break;
    case OPERATION_DIVIDE:
        return divide_integers(a, b, result);
    case OPERATION_FLOOR_DIVIDE:
        return floor_divide_integers(a, b, result);
    case OPERATION_MODULO:
        return modulo_integers(a, b, result);
    case OPERATION_POWER:
        return power_integers(a, b, result);
    case OPERATION_AND:
        result->integer = a & b;
        break;
    case OPERATION_OR:
        result->integer = a | b;
        break;
    case OPERATION_XOR:
        result->integer = a ^ b;
        break;
    case OPERATION_SHIFT_LEFT:
        return shift_left(a, b, result);
    case OPERATION_SHIFT_RIGHT:
        return shift_right(a, b, result);
    default:
        return FAULT_KINDS;
    }
    return overflow ? FAULT_OVERFLOW : FAULT_NONE;
}

/* Python's float modulo: the remainder has the sign of the divisor. */
static double modulo_reals(double a, double b)
{
    double rest = fmod(a, b);
    if (rest == 0)
        return copysign(0, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
}

/* Python's float floor division, consistent with its modulo: a == (a // b) * b + a % b up to rounding. */
static double floor_divide_reals(double a, double b)
{
    double rest = fmod(a, b);
    double quotient = (a - rest) / b;
    if (rest != 0 && (rest < 0) != (b < 0))
        quotient -= 1;
    if (quotient == 0)
        return copysign(0, a / b);
    double whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1 : whole;
}

static enum fault binary_reals(enum operation operation, double a, double b, struct value *result)
{
    switch (operation) {
    case OPERATION_ADD:
        return finite_result(a + b, result);
    case OPERATION_SUBTRACT:
        return finite_result(a - b, result);
    case OPERATION_MULTIPLY:
        return finite_result(a * b, result);
    case OPERATION_DIVIDE:
        return b == 0 ? FAULT_ZERO : finite_result(a / b, result);
    case OPERATION_FLOOR_DIVIDE:
        return b == 0 ? FAULT_ZERO : finite_result(floor_divide_reals(a, b), result);
    case OPERATION_MODULO:
        return b == 0 ? FAULT_ZERO : finite_result(modulo_reals(a, b), result);
    case OPERATION_POWER:
        return power_reals(a, b, result);
    default:
        return FAULT_KINDS;
    }
}

static bool is_bitwise(enum operation operation)
{
    return operation == OPERATION_AND || operation == OPERATION_OR || operation == OPERATION_XOR;
}

enum fault arithmetic_binary(enum operation operation, struct value a, struct value b, struct value *result)
{
    if (a.kind == VALUE_INTEGER && b.kind == VALUE_INTEGER)
        return binary_integers(operation, a.integer, b.integer, result);
    if (!value_is_number(a) || !value_is_number(b))
        return FAULT_KINDS;
    if (a.kind == VALUE_FLOAT || b.kind == VALUE_FLOAT)
        return binary_reals(operation, arithmetic_real(a), arithmetic_real(b), result);
    bool booleans = a.kind == VALUE_BOOLEAN && b.kind == VALUE_BOOLEAN;
    enum fault fault = binary_integers(operation, plain(a).integer, plain(b).integer, result);
    if (fault == FAULT_NONE && booleans && is_bitwise(operation))
        *result = value_boolean(result->integer != 0);
    return fault;
}

enum fault arithmetic_unary(enum operation operation, struct value a, struct value *result)
{
    a = plain(a);
    if (a.kind == VALUE_FLOAT && operation != OPERATION_INVERT) {
        *result = value_float(operation == OPERATION_NEGATE ? -a.real : a.real);
        return FAULT_NONE;
    }
    if (a.kind != VALUE_INTEGER)
        return FAULT_KINDS;
    if (operation == OPERATION_NEGATE && a.integer == INT64_MIN)
        return FAULT_OVERFLOW;
    *result = value_integer(operation == OPERATION_NEGATE   ? -a.integer
                            : operation == OPERATION_INVERT ? ~a.integer
                                                            : a.integer);
    return FAULT_NONE;
}
