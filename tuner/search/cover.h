/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cover.h - representatives of a space: configurations that leave none far from all of them.
 *
 * Of a random sample of the space, the next representative is the one that takes most off the mean distance
 * (coordinates.h) of the sample to the nearest representative: greedy facility location (G. Cornuejols, M. L. Fisher,
 * G. L. Nemhauser, "Location of bank accounts to optimize float", Management Science 23, 1977). So the first is the
 * middle of the space, and those that follow the middles of its parts, the larger the earlier; corners, which are
 * many and mostly bad, come last. What was asked for already counts as a representative.
 *
 * Configurations of one kind have equal categorical coordinates: variant, words, and which parameters a member of a
 * union sets. How good a kind is can't be told from others, so each gets a representative before any gets a second.
 */
#ifndef TUNE_SEARCH_COVER_H
#define TUNE_SEARCH_COVER_H

#include "tuner/search/coordinates.h"
#include "tuner/search/generator.h"

struct cover;

/* The space must outlive the cover; the generator is only used here. NULL when out of memory. */
struct cover *cover_create(const struct search_space *space, struct generator *generator);
void cover_free(struct cover *cover);

/* How many kinds there are in the sample; 0 if they are too many to try each. */
size_t cover_kinds(const struct cover *cover);

/* Do some configurations set parameters that others leave unset? */
bool cover_is_union(const struct cover *cover);

/* The configuration is one of the representatives from now on. */
void cover_take(struct cover *cover, size_t index);

/* The next representative; false: all of the sample are. */
bool cover_next(struct cover *cover, size_t *index);

#endif
