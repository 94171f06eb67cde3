/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile.h - expressions of a space into terms.
 */
#ifndef TUNE_SPACE_COMPILE_H
#define TUNE_SPACE_COMPILE_H

#include "tuner/space/term.h"

struct let_declaration;
struct template;
struct space;

enum { TERM_NONE = -1 };

/* What the names of a space stand for while its expressions are compiled. */
struct compilation {
    struct terms *terms;
    const struct template *template;
    const struct space *space;
    const struct value *base; /* slots with everything but the variables and lets */
    size_t slot_count;
    int64_t *names;                      /* by slot: its term, or TERM_NONE */
    const struct let_declaration **lets; /* by slot: the let that it is, or NULL */
    struct value *scratch;   /* for the foreign terms, which own it (terms->scratches); NULL: none so far */
    bool *marked;            /* by slot: room for slots_mark */
    const struct text *text; /* of the current expression */
};

/* Start without variables: the caller enters them in `names`. False when out of memory; end it in any case. */
bool compilation_start(struct compilation *compilation, struct terms *terms, const struct template *template,
                       const struct space *space, const struct value *base, size_t slot_count);
void compilation_end(struct compilation *compilation);

/* The term of an expression; check terms->failed when all are compiled. */
term_id compile_expression(struct compilation *compilation, const struct expr *expr);

#endif
