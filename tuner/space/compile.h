/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.h - expressions of a space made into terms.
 */
#ifndef TUNE_SPACE_COMPILE_H
#define TUNE_SPACE_COMPILE_H

#include "tuner/space/term.h"

struct template;
struct space;

enum { TERM_NONE = -1 };

/* The names of one space while its expressions are compiled. */
struct compilation {
    struct terms *terms;
    const struct template *template;
    const struct space *space;
    const struct value *base; /* slots with all but the variables and the lets */
    size_t slot_count;
    int64_t *names;          /* by slot: the term that the name stands for, or TERM_NONE */
    const struct text *text; /* of the expression at hand */
};

/* Start: no name is a variable yet. False when out of memory. */
bool compilation_start(struct compilation *compilation, struct terms *terms, const struct template *template,
                       const struct space *space, const struct value *base, size_t slot_count);
void compilation_end(struct compilation *compilation);

/* The term of an expression; look at terms->failed in the end. */
term_id compile_expression(struct compilation *compilation, const struct expr *expr);

#endif
