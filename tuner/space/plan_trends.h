/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan_trends.h - which values need not be tried after a test has failed for one.
 *
 * Where the values of a level's variable ascend or descend, a test that is monotone in it and fails for one value
 * also fails for all values after it, or all before it; an equality of monotone sides has been passed or lies ahead;
 * and `variable % known == 0` or `known % variable == 0` says which value is the next candidate.
 */
#ifndef TUNE_SPACE_PLAN_TRENDS_H
#define TUNE_SPACE_PLAN_TRENDS_H

#include "tuner/space/planning.h"

/* Set the trends of the tests among the steps from `first_step` on, which belong to the level of `variable`. */
void plan_trends(struct planning *p, size_t first_step, size_t variable);

#endif
