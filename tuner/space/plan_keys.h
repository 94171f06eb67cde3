/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan_keys.h - what the levels below still depend on, once a level's variable has a value.
 *
 * The key of a prefix of assignments has the values of the known terms that open requirements read directly. Whatever
 * no longer matters is skipped while the key is computed: requirements that their range has decided, operands behind
 * one that decides, and the branch that a choice does not take.
 */
#ifndef TUNE_SPACE_PLAN_KEYS_H
#define TUNE_SPACE_PLAN_KEYS_H

#include "tuner/space/planning.h"

/* Make the key of a level, counted from 1, whose steps have been planned. */
void plan_keys(struct planning *p, size_t level);

#endif
