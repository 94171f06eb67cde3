/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured_name.h - what was measured (tuner/evaluation/measured.h) as names of a scope: `measured.time`.
 */
#ifndef TUNE_LANG_MEASURED_NAME_H
#define TUNE_LANG_MEASURED_NAME_H

#include "tuner/evaluation/measured.h"
#include "tuner/lang/scope.h"

/* Declare those that are not declared yet. False: out of memory. */
bool scope_add_measured(struct scope *scope);

/* The slots of all figures, in the order of their table; of a scope that has them. */
void scope_find_measured(const struct scope *scope, size_t *slots);

/* Set these slots from a valid evaluation; what is not known has no value. */
void measured_set(const struct evaluation *evaluation, const size_t *slots, struct value *values);

#endif
