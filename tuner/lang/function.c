/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/lang/function.h"
#include "tuner/lang/arithmetic.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double UNIT_ROUNDOFF = 0x1p-24; /* of single precision */

static bool real_of(struct value value, struct place place, const char *name, double *real, struct error *error)
{
    if (!value_is_number(value))
        return error_at(error, ERROR_INPUT, place, "%s() needs a number, not %s", name, value_kind_name(value.kind));
    *real = arithmetic_real(value);
    return true;
}

static bool faulty(enum fault fault, struct place place, const char *name, struct value value, struct error *error)
{
    if (fault == FAULT_NONE)
        return true;
    if (fault == FAULT_KINDS)
        return error_at(error, ERROR_INPUT, place, "%s() needs a number, not %s", name, value_kind_name(value.kind));
    if (fault == FAULT_ZERO)
        return error_at(error, ERROR_INPUT, place, "division by zero in %s()", name);
    return error_at(error, ERROR_INPUT, place, "the result of %s() does not fit in 64 bits", name);
}

static bool apply_abs(const struct value *arguments, struct place place, struct value *result, struct error *error)
{
    struct value zero = value_integer(0);
    enum operation operation = arithmetic_order(arguments[0], zero) == ORDER_LESS ? OPERATION_NEGATE : OPERATION_PLUS;
    bool is_float = arguments[0].kind == VALUE_FLOAT;
    enum fault fault = arithmetic_unary(operation, arguments[0], result);
    if (fault == FAULT_NONE && is_float)
        result->real = fabs(result->real); /* -0.0 */
    return faulty(fault, place, "abs", arguments[0], error);
}

/* A float rounded to an integer by `rounding`; integers stay as they are. */
static bool whole_by(double (*rounding)(double), const char *name, struct value value, struct place place,
                     struct value *result, struct error *error)
{
    if (value.kind != VALUE_FLOAT)
        return faulty(arithmetic_unary(OPERATION_PLUS, value, result), place, name, value, error);
    *result = value_integer(0);
    bool fits = arithmetic_fits(rounding(value.real), &result->integer);
    return faulty(fits ? FAULT_NONE : FAULT_OVERFLOW, place, name, value, error);
}

static bool apply_ceil(const struct value *arguments, struct place place, struct value *result, struct error *error)
{
    return whole_by(ceil, "ceil", arguments[0], place, result, error);
}

static bool apply_floor(const struct value *arguments, struct place place, struct value *result, struct error *error)
{
    return whole_by(floor, "floor", arguments[0], place, result, error);
}

/* Halves to even, independent of the current rounding mode. */
static double round_half_even(double real)
{
    double rounded = round(real);
    return fabs(real - trunc(real)) == 0.5 ? 2 * round(real / 2) : rounded;
}

static bool apply_round(const struct value *arguments, struct place place, struct value *result, struct error *error)
{
    return whole_by(round_half_even, "round", arguments[0], place, result, error);
}

static bool apply_int(const struct value *arguments, struct place place, struct value *result, struct error *error)
{
    return whole_by(trunc, "int", arguments[0], place, result, error);
}

static bool apply_float(const struct value *arguments, struct place place, struct value *result, struct error *error)
{
    *result = value_float(0);
    return real_of(arguments[0], place, "float", &result->real, error);
}

static bool apply_sqrt(const struct value *arguments, struct place place, struct value *result, struct error *error)
{
    double real = 0;
    if (!real_of(arguments[0], place, "sqrt", &real, error))
        return false;
    if (real < 0)
        return error_at(error, ERROR_INPUT, place, "sqrt() of a negative number: %g", real);
    *result = value_float(sqrt(real));
    return true;
}

static bool apply_log2(const struct value *arguments, struct place place, struct value *result, struct error *error)
{
    double real = 0;
    if (!real_of(arguments[0], place, "log2", &real, error))
        return false;
    if (real <= 0)
        return error_at(error, ERROR_INPUT, place, "log2() needs a positive number, not %g", real);
    *result = value_float(log2(real));
    return true;
}

/* Two whole numbers as integers: 8.0 is accepted, 8.5 is not. */
static bool whole_pair(const struct value *arguments, struct place place, const char *name, struct value *whole,
                       struct error *error)
{
    for (int i = 0; i < 2; i++) {
        char text[64];
        whole[i] = value_integer(0);
        if (arithmetic_whole(arguments[i], &whole[i].integer))
            continue;
        value_text(arguments[i], text, sizeof text);
        return error_at(error, ERROR_INPUT, place, "%s() needs whole numbers, not %s", name, text);
    }
    return true;
}

/* -(-a // b) without its negations, which could overflow. */
static enum fault ceil_div(struct value a, struct value b, struct value *quotient)
{
    struct value rest;
    enum fault fault = arithmetic_binary(OPERATION_FLOOR_DIVIDE, a, b, quotient);
    if (fault == FAULT_NONE)
        fault = arithmetic_binary(OPERATION_MODULO, a, b, &rest);
    if (fault == FAULT_NONE && rest.integer != 0)
        quotient->integer++;
    return fault;
}

static bool apply_ceil_div(const struct value *arguments, struct place place, struct value *result,
                           struct error *error)
{
    struct value whole[2];
    if (!whole_pair(arguments, place, "ceil_div", whole, error))
        return false;
    return faulty(ceil_div(whole[0], whole[1], result), place, "ceil_div", arguments[0], error);
}

static bool apply_round_up(const struct value *arguments, struct place place, struct value *result,
                           struct error *error)
{
    struct value whole[2], quotient;
    if (!whole_pair(arguments, place, "round_up", whole, error))
        return false;
    enum fault fault = ceil_div(whole[0], whole[1], &quotient);
    if (fault == FAULT_NONE)
        fault = arithmetic_binary(OPERATION_MULTIPLY, quotient, whole[1], result);
    return faulty(fault, place, "round_up", arguments[0], error);
}

/* Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.1: gamma_n = n u / (1 - n u). */
static bool apply_gamma(const struct value *arguments, struct place place, struct value *result, struct error *error)
{
    double n = 0;
    if (!real_of(arguments[0], place, "gamma", &n, error))
        return false;
    double nu = n * UNIT_ROUNDOFF;
    if (n < 0 || nu >= 1)
        return error_at(error, ERROR_INPUT, place, "gamma(%g) is undefined: n must be at least 0 and less than 2**24",
                        n);
    *result = value_float(nu / (1 - nu));
    return true;
}

/*
 * Higham & Mary, A New Approach to Probabilistic Rounding Error Analysis, SIAM J. Sci. Comput. 41 (2019),
 * theorem 2.4: exp(lambda sqrt(n) u + n u^2 / (1 - u)) - 1. With lambda = 10 it is exceeded with probability below
 * 2 n exp(-50 (1-u)^2).
 */
static bool apply_sum_error(const struct value *arguments, struct place place, struct value *result,
                            struct error *error)
{
    const double lambda = 10, u = UNIT_ROUNDOFF;
    double n = 0;
    if (!real_of(arguments[0], place, "sum_error", &n, error))
        return false;
    if (n < 0)
        return error_at(error, ERROR_INPUT, place, "sum_error(%g): the number of terms cannot be negative", n);
    *result = value_float(expm1(lambda * sqrt(n) * u + n * u * u / (1 - u)));
    if (!isfinite(result->real))
        return error_at(error, ERROR_INPUT, place, "sum_error(%g) is too large for a float", n);
    return true;
}

const struct function_entry functions[FUNCTION_COUNT] = {
    [FUNCTION_MIN] = {"min", 1, 0, false, true, NULL},
    [FUNCTION_MAX] = {"max", 1, 0, false, true, NULL},
    [FUNCTION_ABS] = {"abs", 1, 1, false, false, apply_abs},
    [FUNCTION_CEIL] = {"ceil", 1, 1, false, false, apply_ceil},
    [FUNCTION_FLOOR] = {"floor", 1, 1, false, false, apply_floor},
    [FUNCTION_ROUND] = {"round", 1, 1, false, false, apply_round},
    [FUNCTION_SQRT] = {"sqrt", 1, 1, false, false, apply_sqrt},
    [FUNCTION_LOG2] = {"log2", 1, 1, false, false, apply_log2},
    [FUNCTION_INT] = {"int", 1, 1, false, false, apply_int},
    [FUNCTION_FLOAT] = {"float", 1, 1, false, false, apply_float},
    [FUNCTION_CEIL_DIV] = {"ceil_div", 2, 2, false, false, apply_ceil_div},
    [FUNCTION_ROUND_UP] = {"round_up", 2, 2, false, false, apply_round_up},
    [FUNCTION_GAMMA] = {"gamma", 1, 1, false, false, apply_gamma},
    [FUNCTION_SUM_ERROR] = {"sum_error", 1, 1, false, false, apply_sum_error},
    [FUNCTION_POW2] = {"pow2", 2, 2, true, false, NULL},
    [FUNCTION_RANGE] = {"range", 1, 3, true, false, NULL},
    [FUNCTION_LIST] = {"list", 1, 1, true, true, NULL},
};

bool function_find(const char *name, size_t length, enum function *function)
{
    for (int i = 0; i < FUNCTION_COUNT; i++) {
        if (strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0) {
            *function = (enum function)i;
            return true;
        }
    }
    return false;
}
