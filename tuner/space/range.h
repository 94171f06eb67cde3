/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range.h - interval arithmetic over the expression language: bounds on a value before all its operands are known.
 *
 * A range contains every value that an expression can take, and says whether evaluating it may fail. It may be too
 * wide, but never too narrow: integer bounds that a double cannot represent are rounded outwards; bounds of floats
 * need no rounding, since the operators are monotone on the same doubles.
 */
#ifndef TUNE_SPACE_RANGE_H
#define TUNE_SPACE_RANGE_H

#include "tuner/lang/arithmetic.h"
#include "tuner/lang/function.h"
#include "tuner/lang/node.h"

enum { RANGE_INTEGER = 1, RANGE_FLOAT = 2, RANGE_STRING = 4, RANGE_NUMBER = 3, RANGE_ANY = 7 };

struct range {
    double low, high; /* of the numbers among the values; booleans are 0 and 1 */
    uint8_t kinds;    /* of the values, booleans being integers */
    bool fails;       /* may evaluation fail? */
};

/* Nothing is known. */
struct range range_unknown(void);

/* The range of one value; VALUE_UNSET stands for a failure. */
struct range range_of(struct value value);

/* The same, fast for integers that a double represents. */
static inline void range_know(struct value value, struct range *range)
{
    if (value.kind == VALUE_INTEGER && value.integer > -((int64_t)1 << 53) && value.integer < (int64_t)1 << 53) {
        range->low = range->high = (double)value.integer;
        range->kinds = RANGE_INTEGER;
        range->fails = false;
        return;
    }
    *range = range_of(value);
}

/* The smallest range that contains both. */
struct range range_hull(struct range a, struct range b);

/* A truth: 0, 1 or either; and the truth of a value. */
struct range range_truth(bool may_be_false, bool may_be_true, bool fails);
struct range range_of_truth(struct range value);

/* Is the truth certain, and evaluation bound to succeed? */
static inline bool range_is_true(struct range truth)
{
    return truth.low > 0 && !truth.fails;
}
static inline bool range_is_false(struct range truth)
{
    return truth.high < 1 && !truth.fails;
}

struct range range_unary(enum operation operation, struct range a);
struct range range_binary(enum operation operation, struct range a, struct range b);

/* Any comparison except in and not in. */
struct range range_compare(enum comparison comparison, struct range a, struct range b);

/* Any function that gives a value, except min and max; `arguments` has one range per argument. */
struct range range_call(enum function function, const struct range *arguments);

/* min or max of two values. */
struct range range_extremum(enum function function, struct range a, struct range b);

#endif
