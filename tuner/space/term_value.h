/* SPDX-License-Identifier: Apache-2.0 */
/*
 * term_value.h - the value of a term, as expr_evaluate would give it; VALUE_UNSET where evaluation fails.
 */
#ifndef TUNE_SPACE_TERM_VALUE_H
#define TUNE_SPACE_TERM_VALUE_H

#include "tuner/space/term.h"

/* The value of a term from the values of its operands in `values`, which is indexed by term. */
struct value term_value(const struct terms *terms, term_id id, const struct value *values);

/* Store that value in values[id]; faster, since integers are not moved as whole structs. */
void term_evaluate(const struct terms *terms, term_id id, struct value *values);

#endif
