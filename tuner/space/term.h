/* SPDX-License-Identifier: Apache-2.0 */
/*
 * term.h - constraints as a graph of terms: constants folded, equal subexpressions one term, evaluated without
 * allocation.
 *
 * A term's operands come before it, so that a sweep over the array evaluates all. Every term gives just what
 * expr_evaluate gives for the expression that it was made of; where that fails, the term's value is VALUE_UNSET.
 * and, or and not are made for the truth of their operands alone; where the value of `a and b` matters it is the
 * choice `b if a else a`.
 *
 * Building is done without checks: when memory runs out, `failed` is set, and all that is made from then on means
 * nothing.
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
    TERM_AND, /* of truths: two or more */
    TERM_OR,
    TERM_HOLDS,     /* true if the truth a is true; false if it is false or fails */
    TERM_COMPARE,   /* operation: enum comparison, but in and not in */
    TERM_IN,        /* a in [b, c, ...] */
    TERM_IN_RANGE,  /* a in range with first value, step and count b, c, d, which are constants */
    TERM_IN_STRING, /* a in b */
    TERM_CHOICE,    /* b if a else c */
    TERM_CALL,      /* operation: enum function */
    TERM_FOREIGN,   /* what this graph has no term for: left to the evaluator; operands are all parameters it reads */
};

typedef uint32_t term_id;

struct term {
    uint8_t kind, operation;
    uint32_t count; /* of operands */
    uint32_t first; /* of them, in the pool */
    struct value constant;
    size_t index;       /* variable: its number; foreign: its number */
    struct range range; /* over all values of the variables */
};

struct variable {
    const struct value *values;
    size_t count;
    term_id term;
};

/* An expression that is evaluated as it stands. */
struct foreign {
    struct expr expr;
    const struct template *template;
    const struct space *space;
    const size_t *slots;      /* of its operands */
    const struct value *base; /* slots with everything but the variables */
    struct value *scratch;
    size_t slot_count;
};

struct terms {
    struct term *items;
    size_t count, capacity;
    term_id *operands;
    size_t operand_count, operand_capacity;
    uint32_t *table; /* open hash table of 1 + term */
    size_t table_capacity;
    const struct variable *variables;
    struct foreign *foreigns;
    size_t foreign_count, foreign_capacity;
    bool failed;
};

void terms_free(struct terms *terms);

term_id term_constant(struct terms *terms, struct value value);

/* A variable with these values; to be made once for each `index`. */
term_id term_variable(struct terms *terms, size_t index, const struct value *values, size_t count);

/*
 * A term of this kind, simplified: the constant it is, or one that is there already. and and or take any number of
 * truths, in the order in which Python evaluates them.
 */
term_id term_make(struct terms *terms, enum term_kind kind, unsigned operation, const term_id *operands,
                  size_t count);

/* The truth of a term, its opposite, and of a truth whether it holds. */
term_id term_truth(struct terms *terms, term_id id);
term_id term_not(struct terms *terms, term_id id);

/* Takes `foreign` over, in any case. */
term_id term_foreign(struct terms *terms, const struct foreign *foreign, const term_id *operands, size_t count);

static inline const term_id *term_operands(const struct terms *terms, const struct term *term)
{
    return terms->operands + term->first;
}

bool term_is_truth(const struct term *term);

/* The value of a term whose operands' values stand in `values`, which is indexed by terms. */
struct value term_value(const struct terms *terms, term_id id, const struct value *values);

/* The same, put into `values`: faster, since it does not move whole values where integers will do. */
void term_evaluate(const struct terms *terms, term_id id, struct value *values);

/* The range of a term from its operands' ranges, which are at ranges[slots[0]], ranges[slots[1]], ... */
void term_range(const struct term *term, const struct range *ranges, const uint32_t *slots, struct range *result);

#endif
