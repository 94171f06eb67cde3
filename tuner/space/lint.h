/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lint.h - likely mistakes in a space and its template: things that are valid but have no effect, say the same twice,
 * or cannot come out right.
 */
#ifndef TUNE_SPACE_LINT_H
#define TUNE_SPACE_LINT_H

#include "tuner/space/problem.h"

enum lint_kind {
    LINT_REPEATED_VALUE, /* a list has a value twice */
    LINT_UNUSED_LET,     /* no expression of the space reads a let */
    LINT_UNKNOWN_LIMIT,  /* a constraint reads a device limit that is unknown (0) */
    LINT_SINGLE_VALUE,   /* a parameter has the same value in all valid configurations */
    LINT_NO_EFFECT,      /* no source mentions a parameter, and no expression of the template */
    LINT_DEAD_VALUE,     /* no valid configuration has some values of a parameter */
    LINT_IDLE,           /* a constraint removes nothing that those before it let pass */
    LINT_UNWRITTEN,      /* an output of the template that nothing writes */
    LINT_KINDS,
};

/* The name in JSON: "repeated value", ... */
const char *lint_kind_name(enum lint_kind kind);

/* Called with each finding: its place, and one line of text. */
typedef void lint_visitor(void *context, enum lint_kind kind, struct place place, const char *text);

/*
 * Check the template of a problem and its spaces, in the order of their text. Counts what each constraint removes
 * (problem_constraint_report). False when out of memory. (A name that hides another is already an error when the
 * space is read.)
 */
bool lint_problem(const struct problem *problem, lint_visitor *visit, void *context, struct error *error);

#endif
