/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prune.h - values that no configuration can have are dropped before the search.
 *
 * A requirement is looked at for one variable with many values at a time. What it reads besides is summed up in the
 * terms that do not depend on this variable, and for each of them in the set of values that it may have, as long as
 * that is small. A value for which the requirement is false with all of these is dropped: of the numbers up to 4096
 * as a block size in `size % (block * vector) == 0` the divisors of the size are left. Sets take what depends on each
 * other as independent, so that too much may be kept, never too little. (Generalised arc consistency; A. Mackworth,
 * Consistency in Networks of Relations, Artificial Intelligence 8 (1977).)
 */
#ifndef TUNE_SPACE_PRUNE_H
#define TUNE_SPACE_PRUNE_H

#include "tuner/space/model.h"

/* Drops such values; a model that has none left for a variable is impossible. False when out of memory. */
bool prune(struct model *model);

#endif
