/* SPDX-License-Identifier: Apache-2.0 */
/*
 * census.h - how many configurations each constraint removes.
 *
 * What a constraint removes of those that all before it let pass is the difference of two counts: without it and
 * with it.
 */
#ifndef TUNE_SPACE_CENSUS_H
#define TUNE_SPACE_CENSUS_H

#include "tuner/space/domain.h"

/*
 * Count for each constraint, into `domain->removed`, the configurations that it removes of those that the constraints
 * before it let pass. A constraint that cannot be evaluated removes nothing. Counts are -1 from the constraint on at
 * which more than `effort` values had to be tried or memory ran out. False when not even the counts could be stored.
 */
bool census(struct domain *domain, size_t effort);

#endif
