/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/range.h"

#include <float.h>
#include <math.h>

static const double TWO_53 = 9007199254740992.0;
static const double TWO_63 = 9223372036854775808.0;
static const double ULP = 0x1p-52;

struct range range_unknown(void)
{
    return (struct range){-DBL_MAX, DBL_MAX, RANGE_ANY, true};
}

/* At least one step down, and up. */
static double below(double x)
{
    return x - fabs(x) * ULP;
}

static double above(double x)
{
    return x + fabs(x) * ULP;
}

/* A range of integers; beyond 2^53 its bounds may have been rounded, either way. */
static struct range integers(double low, double high, bool fails)
{
    if (fabs(low) >= TWO_53)
        low = below(low);
    if (fabs(high) >= TWO_53)
        high = above(high);
    if (low < -TWO_63 || high > TWO_63)
        fails = true;
    return (struct range){fmax(low, -TWO_63), fmin(high, TWO_63), RANGE_INTEGER, fails};
}

static struct range floats(double low, double high, bool fails)
{
    if (!(low >= -DBL_MAX) || !(high <= DBL_MAX))
        fails = true;
    return (struct range){fmax(low, -DBL_MAX), fmin(high, DBL_MAX), RANGE_FLOAT, fails};
}

struct range range_of(struct value value)
{
    switch (value.kind) {
    case VALUE_BOOLEAN:
        return (struct range){value.boolean, value.boolean, RANGE_INTEGER, false};
    case VALUE_INTEGER:
        return integers((double)value.integer, (double)value.integer, false);
    case VALUE_FLOAT:
        return (struct range){value.real, value.real, RANGE_FLOAT, false};
    case VALUE_STRING:
        return (struct range){0, 0, RANGE_STRING, false};
    case VALUE_UNSET:
        break;
    }
    return range_unknown();
}

struct range range_hull(struct range a, struct range b)
{
    bool fails = a.fails || b.fails;
    uint8_t kinds = a.kinds | b.kinds;
    if (!(a.kinds & RANGE_NUMBER))
        return (struct range){b.low, b.high, kinds, fails};
    if (!(b.kinds & RANGE_NUMBER))
        return (struct range){a.low, a.high, kinds, fails};
    return (struct range){fmin(a.low, b.low), fmax(a.high, b.high), kinds, fails};
}

struct range range_truth(bool may_be_false, bool may_be_true, bool fails)
{
    return (struct range){may_be_false ? 0 : 1, may_be_true ? 1 : 0, RANGE_INTEGER, fails};
}

struct range range_of_truth(struct range value)
{
    bool string = value.kinds & RANGE_STRING;
    bool zero = value.low <= 0 && value.high >= 0;
    bool only_zero = value.low == 0 && value.high == 0;
    return range_truth(string || zero, string || !only_zero, value.fails);
}

struct range range_unary(enum operation operation, struct range a)
{
    bool fails = a.fails || (a.kinds & RANGE_STRING) || (operation == OPERATION_INVERT && (a.kinds & RANGE_FLOAT));
    uint8_t kinds = a.kinds & RANGE_NUMBER;
    if (operation == OPERATION_PLUS)
        return (struct range){a.low, a.high, kinds, fails};
    double shift = operation == OPERATION_INVERT ? -1 : 0;
    struct range real = floats(-a.high, -a.low, fails), whole = integers(-a.high + shift, -a.low + shift, fails);
    if (kinds == RANGE_NUMBER)
        return range_hull(real, whole);
    struct range result = kinds == RANGE_FLOAT ? real : whole;
    result.kinds = kinds;
    return result;
}

/* The hull of an operator's results at the corners of two ranges. */
static struct range corners(double (*operator)(double, double), struct range a, struct range b)
{
    const double results[] =
        {operator(a.low, b.low), operator(a.low, b.high), operator(a.high, b.low), operator(a.high, b.high)};
    struct range hull = {results[0], results[0], 0, false};
    for (int i = 1; i < 4; i++) {
        hull.low = fmin(hull.low, results[i]);
        hull.high = fmax(hull.high, results[i]);
    }
    return hull;
}

static double times(double a, double b)
{
    return a * b;
}

static double over(double a, double b)
{
    return a / b;
}

static bool has_zero(struct range range)
{
    return range.low <= 0 && range.high >= 0;
}

/* The floor of the quotient; that of floats may be off by one from rounding. */
static struct range floor_divide(struct range a, struct range b, bool whole, bool fails)
{
    if (has_zero(b)) {
        double most = fmax(fabs(a.low), fabs(a.high)) + 1;
        return whole ? integers(-most, most, true) : floats(-DBL_MAX, DBL_MAX, true);
    }
    struct range quotient = corners(over, a, b);
    double low = floor(below(quotient.low)), high = floor(above(quotient.high));
    return whole ? integers(low, high, fails) : floats(low - 1, high + 1, fails);
}

/* The remainder has the divisor's sign. */
static struct range modulo(struct range a, struct range b, bool whole, bool fails)
{
    if (b.low > 0 && a.low >= 0 && a.high < b.low)
        return whole ? integers(a.low, a.high, fails) : floats(a.low, a.high, fails);
    double low = b.low < 0 ? b.low : 0, high = b.high > 0 ? b.high - (whole ? 1 : 0) : 0;
    if (b.low > 0 && a.low >= 0)
        high = fmin(high, a.high);
    fails = fails || has_zero(b);
    return whole ? integers(low, fmax(low, high), fails) : floats(low, high, fails);
}

static struct range power(struct range a, struct range b, bool whole, bool fails)
{
    if (!whole || a.low < 1 || b.low < 0)
        return (struct range){-DBL_MAX, DBL_MAX, RANGE_NUMBER, true};
    return integers(floor(below(pow(a.low, b.low))), ceil(above(pow(a.high, b.high))), fails);
}

/* Bitwise operators and shifts of integers. */
static struct range bits(enum operation operation, struct range a, struct range b, bool fails)
{
    if (operation == OPERATION_SHIFT_LEFT || operation == OPERATION_SHIFT_RIGHT) {
        fails = fails || b.low < 0;
        if (a.low < 0 || b.low < 0)
            return integers(-TWO_63, TWO_63, true);
        if (operation == OPERATION_SHIFT_RIGHT)
            return integers(0, a.high, fails);
        return integers(a.low, a.high * exp2(fmin(b.high, 64)), fails);
    }
    if (a.low < 0 || b.low < 0)
        return (struct range){-TWO_63, TWO_63, RANGE_INTEGER, fails};
    if (operation == OPERATION_AND)
        return integers(0, fmin(a.high, b.high), fails);
    return (struct range){0, fmin(2 * fmax(a.high, b.high) + 1, TWO_63), RANGE_INTEGER, fails};
}

static struct range binary(enum operation operation, struct range a, struct range b, bool whole, bool fails)
{
    struct range product;
    switch (operation) {
    case OPERATION_ADD:
        return whole ? integers(a.low + b.low, a.high + b.high, fails)
                     : floats(a.low + b.low, a.high + b.high, fails);
    case OPERATION_SUBTRACT:
        return whole ? integers(a.low - b.high, a.high - b.low, fails)
                     : floats(a.low - b.high, a.high - b.low, fails);
    case OPERATION_MULTIPLY:
        product = corners(times, a, b);
        return whole ? integers(product.low, product.high, fails) : floats(product.low, product.high, fails);
    case OPERATION_DIVIDE:
        if (has_zero(b))
            return (struct range){-DBL_MAX, DBL_MAX, RANGE_FLOAT, true};
        product = corners(over, a, b);
        return floats(below(product.low), above(product.high), fails);
    case OPERATION_FLOOR_DIVIDE:
        return floor_divide(a, b, whole, fails);
    case OPERATION_MODULO:
        return modulo(a, b, whole, fails);
    case OPERATION_POWER:
        return power(a, b, whole, fails);
    default:
        return bits(operation, a, b, fails || !whole);
    }
}

struct range range_binary(enum operation operation, struct range a, struct range b)
{
    bool fails = a.fails || b.fails || (a.kinds | b.kinds) & RANGE_STRING;
    bool integer = a.kinds & b.kinds & RANGE_INTEGER;
    bool real = (a.kinds | b.kinds) & RANGE_FLOAT;
    if (!(a.kinds & RANGE_NUMBER) || !(b.kinds & RANGE_NUMBER))
        return range_unknown();
    if (!real)
        return binary(operation, a, b, true, fails);
    struct range result = binary(operation, a, b, false, fails);
    return integer ? range_hull(result, binary(operation, a, b, true, fails)) : result;
}

struct range range_compare(enum comparison comparison, struct range a, struct range b)
{
    bool fails = a.fails || b.fails;
    bool strings = (a.kinds | b.kinds) & RANGE_STRING;
    bool equality = comparison == COMPARE_EQUAL || comparison == COMPARE_NOT_EQUAL;
    bool comparable = (a.kinds & b.kinds & RANGE_STRING) || (a.kinds & RANGE_NUMBER && b.kinds & RANGE_NUMBER);
    if (equality && !comparable)
        return range_truth(comparison == COMPARE_EQUAL, comparison == COMPARE_NOT_EQUAL, fails);
    if (strings)
        return range_truth(true, true, fails || (!equality && (a.kinds | b.kinds) != RANGE_STRING));
    bool may_be_less = a.low<b.high, may_be_greater = a.high> b.low;
    bool may_be_equal = a.low <= b.high && b.low <= a.high;
    switch (comparison) {
    case COMPARE_LESS:
        return range_truth(may_be_greater || may_be_equal, may_be_less, fails);
    case COMPARE_LESS_EQUAL:
        return range_truth(may_be_greater, may_be_less || may_be_equal, fails);
    case COMPARE_GREATER:
        return range_truth(may_be_less || may_be_equal, may_be_greater, fails);
    case COMPARE_GREATER_EQUAL:
        return range_truth(may_be_less, may_be_greater || may_be_equal, fails);
    case COMPARE_EQUAL:
        return range_truth(may_be_less || may_be_greater, may_be_equal, fails);
    default:
        return range_truth(may_be_equal, may_be_less || may_be_greater, fails);
    }
}

/* A rounding to an integer, which is monotone. */
static struct range whole_by(double (*rounding)(double), struct range a)
{
    bool fails = a.fails || a.kinds & RANGE_STRING;
    return integers(rounding(a.low), rounding(a.high), fails);
}

/* Wide enough for any rule for halfway cases. */
static struct range rounded(struct range a)
{
    bool fails = a.fails || a.kinds & RANGE_STRING;
    return a.kinds == RANGE_INTEGER ? a : integers(floor(a.low), ceil(a.high), fails);
}

static struct range absolute(struct range a)
{
    double high = fmax(fabs(a.low), fabs(a.high));
    double low = has_zero(a) ? 0 : fmin(fabs(a.low), fabs(a.high));
    bool fails = a.fails || a.kinds & RANGE_STRING;
    struct range result = a.kinds & RANGE_FLOAT ? floats(low, high, fails) : integers(low, high, fails);
    result.kinds = a.kinds & RANGE_NUMBER;
    return result;
}

static struct range call_of_two(enum function function, struct range a, struct range b)
{
    bool whole = a.kinds == RANGE_INTEGER && b.kinds == RANGE_INTEGER;
    bool fails = a.fails || b.fails || !whole;
    if (b.low < 1 || a.low < 0)
        return (struct range){-TWO_63, TWO_63, RANGE_INTEGER, true};
    if (function == FUNCTION_ROUND_UP)
        return integers(a.low, a.high + b.high, fails);
    struct range quotient = corners(over, a, b);
    return integers(ceil(below(quotient.low)), ceil(above(quotient.high)), fails);
}

struct range range_call(enum function function, const struct range *arguments)
{
    struct range a = arguments[0];
    bool fails = a.fails || a.kinds & RANGE_STRING;
    switch (function) {
    case FUNCTION_ABS:
        return absolute(a);
    case FUNCTION_CEIL:
        return whole_by(ceil, a);
    case FUNCTION_FLOOR:
        return whole_by(floor, a);
    case FUNCTION_ROUND:
        return rounded(a);
    case FUNCTION_INT:
        return whole_by(trunc, a);
    case FUNCTION_FLOAT:
        return floats(a.low, a.high, fails);
    case FUNCTION_SQRT:
        return floats(below(sqrt(fmax(a.low, 0))), above(sqrt(fmax(a.high, 0))), fails || a.low < 0);
    case FUNCTION_LOG2:
        if (a.low <= 0)
            return (struct range){-1100, 1100, RANGE_FLOAT, true};
        return floats(below(log2(a.low)) - 1e-12, above(log2(a.high)) + 1e-12, fails);
    case FUNCTION_CEIL_DIV:
    case FUNCTION_ROUND_UP:
        return call_of_two(function, a, arguments[1]);
    default:
        return range_unknown();
    }
}

struct range range_extremum(enum function function, struct range a, struct range b)
{
    bool strings = (a.kinds | b.kinds) & RANGE_STRING;
    struct range result = range_hull(a, b);
    if (strings) {
        result.fails = result.fails || (a.kinds | b.kinds) != RANGE_STRING;
        return result;
    }
    result.low = function == FUNCTION_MIN ? fmin(a.low, b.low) : fmax(a.low, b.low);
    result.high = function == FUNCTION_MIN ? fmin(a.high, b.high) : fmax(a.high, b.high);
    return result;
}
