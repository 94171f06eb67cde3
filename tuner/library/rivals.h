/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rivals.h - what may be tried in the place of an answer: the contenders (tuner/select/contenders.h) of all that a
 * handle knows.
 */
#ifndef TUNE_LIBRARY_RIVALS_H
#define TUNE_LIBRARY_RIVALS_H

#include "tuner/library/answer.h"
#include "tuner/library/handle.h"
#include "tuner/select/contenders.h"

/* At most so many; clear them in any case. What cannot be read is left out, and told by tune_trouble. */
bool rivals_find(struct tune *tune, const struct tune_answer *answer, size_t most, struct contenders *contenders,
                 struct error *error);

#endif
