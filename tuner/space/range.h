/* SPDX-License-Identifier: Apache-2.0 */
/*
 * range.h - what is known of a value before all it depends on is known: interval arithmetic over the language.
 *
 * A range holds every value that an expression can take, and says whether its evaluation may fail. Ranges may be too
 * wide, never too narrow: bounds of integers that a double cannot hold are rounded outwards; floats need no rounding,
 * since the operators are monotone in the same doubles.
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
    bool fails;       /* evaluation may fail */
};

/* Nothing is known. */
struct range range_unknown(void);

/* The range of one value; VALUE_UNSET stands for a failure. */
struct range range_of(struct value value);

/* The same; fast for integers that a double holds. */
static inline void range_know(struct value value, struct range *range)
{
    if (value.kind == VALUE_INTEGER && value.integer >= -((int64_t)1 << 53) && value.integer <= (int64_t)1 << 53) {
        range->low = range->high = (double)value.integer;
        range->kinds = RANGE_INTEGER;
        range->fails = false;
        return;
    }
    *range = range_of(value);
}

/* The smallest range that holds both. */
struct range range_hull(struct range a, struct range b);

/* A truth value: 0, 1 or either. */
struct range range_truth(bool may_be_false, bool may_be_true, bool fails);
struct range range_of_truth(struct range value);

/* Will it be true, will it be false, whatever comes? */
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

/* All but in and not in. */
struct range range_compare(enum comparison comparison, struct range a, struct range b);

/* A function that gives a value, other than min and max; `arguments` as many as it has. */
struct range range_call(enum function function, const struct range *arguments);

/* min or max of two. */
struct range range_extremum(enum function function, struct range a, struct range b);

#endif
