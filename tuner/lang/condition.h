/* SPDX-License-Identifier: Apache-2.0 */
/*
 * condition.h - conditions: expressions of which only the truth matters.
 *
 * A condition that cannot change anything is a mistake, so it is refused: `where "BLOCK <= 512"`, `where 1 < 2`,
 * `where BLOCK == 32 or 64`. The words true and false may stand anywhere, to switch something on or off.
 */
#ifndef TUNE_LANG_CONDITION_H
#define TUNE_LANG_CONDITION_H

#include "tuner/lang/parser.h"

/* What is known of a value before anything is evaluated. */
enum {
    TRAIT_CONSTANT = 1, /* it reads no parameter, size, device field or loop variable, not even through lets */
    TRAIT_STRING = 2,   /* always a string */
    TRAIT_SWITCH = 4,   /* true or false, written out or as a let */
};

/* The traits of a node, by those of the lets it reads (scope_traits). */
unsigned condition_traits(const struct parser *parser, const struct node *node);

/* Parse a condition. Fails if it, or a part of it, is a string or a constant. */
bool parse_condition(struct parser *parser, const struct expr **expr);

/* The same for the filter of a comprehension, which may be constant, as in Python. */
bool condition_check_filter(struct parser *parser, const struct node *node);

#endif
