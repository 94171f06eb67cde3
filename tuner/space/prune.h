/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prune.h - drop values that no configuration can have, before the search.
 *
 * For each requirement and each variable with many values: what else the requirement reads is reduced to the largest
 * terms that do not depend on the variable, and each of those to the set of values it can take, as long as that is
 * small. A value of the variable for which the requirement is false with all of them is dropped: as a block size in
 * `size % (block * vector) == 0`, of the numbers up to 4096 only divisors of the size are left. Sets are treated as
 * independent of each other, so a value may be kept needlessly, but never dropped wrongly. (Generalised arc
 * consistency; A. Mackworth, Consistency in Networks of Relations, Artificial Intelligence 8 (1977).)
 */
#ifndef TUNE_SPACE_PRUNE_H
#define TUNE_SPACE_PRUNE_H

#include "tuner/space/model.h"

/* Drop such values; a model with a variable that has none left becomes impossible. False when out of memory. */
bool prune(struct model *model);

#endif
