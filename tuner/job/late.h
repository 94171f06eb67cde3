/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late.h - what is known only when the steps run: counts, and the names and numbers that depend on them.
 *
 * An expression that can be evaluated without them is a number of the job like any other. One that cannot becomes a
 * formula (formula.h): its own text, in which all other names are replaced by their values, and lets that depend on
 * counts by what they stand for. Templates without counts and numbered repeats have none of this: lowering->late is
 * NULL.
 */
#ifndef TUNE_JOB_LATE_H
#define TUNE_JOB_LATE_H

#include "tuner/job/lowering.h"

struct node;

struct late {
    bool *marked;         /* by slot: room to work */
    bool *known;          /* by slot of the template's scope: it has a value here, but only when the steps run */
    struct value *trials; /* by name of the job: a value that it may have, which shows the types of formulas */
    size_t trial_count;
    char **extents; /* by buffer: the formula of its extent; NULL: known beforehand */
    bool *made;     /* by buffer: a step before has allocated it */
    bool *fixed;    /* by slot: a count that an extent depends on, which has been read */
};

/* Set lowering->late and name the counts, if there are any. */
bool late_begin(struct lowering *lowering);
void late_end(struct lowering *lowering);

/* Forget all but the names; a case begins. */
void late_reset(const struct lowering *lowering);

/* What is known here: a copy, to go back to or to compare with. The caller frees it. NULL: out of memory. */
bool *late_copy(const struct lowering *lowering);
void late_restore(const struct lowering *lowering, const bool *known);
/* Keep only what is known in both. */
void late_intersect(const struct lowering *lowering, const bool *known);

/* Does the expression, a value or a list, depend on what is known late, and on nothing that is never known? */
bool late_is(const struct lowering *lowering, const struct expr *expr);

/* After an expression could not be evaluated: if the reason is a count, say so. Always false. */
bool late_blame(const struct lowering *lowering, const struct expr *expr);

/* The text of a formula, allocated; of a list's item if `item` is not NULL. NULL after an error. */
char *late_text(const struct lowering *lowering, const struct expr *expr, const struct node *item);

/* Add a formula to the step. `text` is taken over, also on failure; NULL is a failure of before. */
bool late_add(const struct lowering *lowering, struct place place, struct job_step *step, struct job_formula formula,
              char *text);

/* A value that the step's last formula may have; VALUE_UNSET: none is known. False: out of memory. */
bool late_trial(const struct lowering *lowering, const struct job_step *step, struct value *value);

/* The step sets this name of the template's scope: it is known late from here on; `trial` is a value that it may
 * have.
 */
bool late_set(const struct lowering *lowering, struct place place, struct job_step *step, size_t slot,
              struct value trial);

/* The step has a place, and the name of its kernel, say; NULL: none. */
bool late_name(const struct lowering *lowering, struct place place, struct job_step *step, const char *name);

/* The extent of a buffer depends on counts, whichever of them are read: note its formula. */
bool late_extent(const struct lowering *lowering, size_t buffer, const struct buffer_declaration *declaration,
                 bool *late);

/* Does the extent of a buffer depend on this count? */
bool late_extent_reads(const struct lowering *lowering, size_t buffer, size_t slot);

#endif
