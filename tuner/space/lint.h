/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lint.h - what in a space is likely not meant: it is valid, and says nothing or says it twice.
 */
#ifndef TUNE_SPACE_LINT_H
#define TUNE_SPACE_LINT_H

#include "tuner/space/problem.h"

enum lint_kind {
    LINT_REPEATED_VALUE, /* a list of values has one twice */
    LINT_UNUSED_LET,     /* a let of the space that nothing reads */
    LINT_UNKNOWN_LIMIT,  /* a constraint reads a field of the device that is not known (0) */
    LINT_SINGLE_VALUE,   /* a parameter with one value left in all valid configurations */
    LINT_DEAD_VALUE,     /* values of a parameter that no valid configuration has */
    LINT_IDLE,           /* a constraint that removes nothing of what those before it let pass */
    LINT_KINDS,
};

/* "repeated value", ...: for JSON. */
const char *lint_kind_name(enum lint_kind kind);

/* Called with each finding: where it is and what it is, in one line. */
typedef void lint_visitor(void *context, enum lint_kind kind, struct place place, const char *text);

/*
 * Look through the spaces of a problem, in the order of their text. Counts what constraints remove
 * (problem_constraint_report). False when out of memory. (A name that hides another is an error when a space is
 * read.)
 */
bool lint_problem(const struct problem *problem, lint_visitor *visit, void *context, struct error *error);

#endif
