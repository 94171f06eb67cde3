/* SPDX-License-Identifier: Apache-2.0 */
/*
 * term.h - constraints as a graph of terms: equal subexpressions are one term, and evaluation allocates nothing.
 *
 * A term's operands precede it, so a single pass over the array evaluates every term. A term has exactly the value
 * that expr_evaluate gives for the expression it was made from; where evaluation fails, that is VALUE_UNSET. The
 * operands of TERM_AND, TERM_OR and TERM_NOT are truths (booleans); where Python's value of `a and b` matters, it is
 * the choice `b if a else a`.
 *
 * The work is split by concern: this module stores terms and finds equal ones, term_make.h makes simplified terms,
 * term_value.h evaluates them, and term_range.h bounds them.
 *
 * Callers need not check each step of building: when memory runs out, `failed` is set, and every term made from then
 * on is meaningless.
 */
#ifndef TUNE_SPACE_TERM_H
#define TUNE_SPACE_TERM_H

#include "tuner/space/range.h"

#include <stddef.h>

enum term_kind {
    TERM_CONSTANT,
    TERM_VARIABLE,
    TERM_UNARY,  /* operation: enum operation */
    TERM_BINARY, /* operation: enum operation */
    TERM_TRUTH,  /* bool(a) */
    TERM_NOT,
    TERM_AND, /* two or more truths */
    TERM_OR,
    TERM_HOLDS,     /* true if the truth a is true; false if it is false or fails */
    TERM_COMPARE,   /* operation: enum comparison, except in and not in */
    TERM_IN,        /* a in [b, c, ...] */
    TERM_IN_RANGE,  /* a in the range with first value b, step c and count d, all constants */
    TERM_IN_STRING, /* a in b */
    TERM_CHOICE,    /* b if a else c */
    TERM_CALL,      /* operation: enum function */
    TERM_FOREIGN,   /* an expression without a term of its own, left to the evaluator; its operands are all the
                       parameters it reads */
};

typedef uint32_t term_id;

struct term {
    uint8_t kind, operation;
    uint32_t count; /* of operands */
    uint32_t first; /* operand, in terms->operands */
    struct value constant;
    size_t index;       /* TERM_VARIABLE: the variable; TERM_FOREIGN: in terms->foreigns */
    struct range range; /* over all values of the variables */
};

struct let_declaration;

/* An expression that is evaluated as written. */
struct foreign {
    struct expr expr;
    const size_t *slots;                 /* of its operands */
    const struct let_declaration **lets; /* that it reads, in their order */
    size_t let_count;
    struct value *scratch; /* slots with everything but variables and lets; shared with others, which set theirs */
};

struct terms {
    struct term *items;
    size_t count, capacity;
    term_id *operands;
    size_t operand_count, operand_capacity;
    uint32_t *table; /* open hash table of 1 + term */
    size_t table_capacity;
    struct foreign *foreigns;
    size_t foreign_count, foreign_capacity;
    struct value **scratches; /* of the foreign terms */
    size_t scratch_count;
    bool failed;
};

/* All zero is an empty graph. */
void terms_free(struct terms *terms);

term_id term_constant(struct terms *terms, struct value value);

/* A variable with these values; call once for each `index`. */
term_id term_variable(struct terms *terms, size_t index, const struct value *values, size_t count);

/* The term with this kind, operation, index and operands: the one there is, or a new one. Only term_make.h should
 * need it: it takes the term as given, without simplification. */
term_id term_intern(struct terms *terms, const struct term *term, const term_id *operands);

/* Room for the values of foreign terms, with these values in it; freed with the graph. NULL: failed. */
struct value *term_add_scratch(struct terms *terms, const struct value *base, size_t slot_count);

/* Store the expression of a TERM_FOREIGN and return its index; takes ownership of its lists even on failure. */
size_t term_add_foreign(struct terms *terms, const struct foreign *foreign);

static inline const term_id *term_operands(const struct terms *terms, const struct term *term)
{
    return terms->operands + term->first;
}

/* Is the term's value a boolean wherever it has one? */
bool term_is_truth(const struct term *term);

#endif
