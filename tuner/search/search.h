/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search.h - a running search: a strategy, and the memory of what was asked and told.
 *
 * Whatever the strategy, the priors of the setup are handed out first, and no configuration is handed out twice. When
 * a strategy asks for one again it is answered from memory, as often as it asks. A strategy that keeps repeating
 * itself or has ended is supplemented by random untried configurations, whose results it is told as if it had asked:
 * a search ends when the caller ends it or nothing is left.
 */
#ifndef TUNE_SEARCH_SEARCH_H
#define TUNE_SEARCH_SEARCH_H

#include "tuner/search/strategy.h"

struct search;

/* `setup` and what it points to must outlive the search; parameters may be NULL for the presets. */
bool search_create(const struct strategy_driver *driver, const struct strategy_setup *setup, struct search **result,
                   struct error *error);
void search_free(struct search *search);

/* The next configuration to evaluate, each at most once. After ASK_FAILED search_failure says why. */
enum answer search_ask(struct search *search, size_t *index);

/* Always returns false. */
bool search_failure(const struct search *search, struct error *error);

/*
 * Report a result. A configuration that was never asked for may be told too (it was measured earlier): the strategy
 * learns from it, and it is not handed out any more. A valid result whose objective is not finite counts as failed.
 * False when out of memory.
 */
bool search_tell(struct search *search, const struct observation *observation);

/* The same, but of a configuration that it never asked for the strategy learns only if it does, as from memory. */
bool search_remember(struct search *search, const struct observation *observation);

/*
 * Report that a configuration was asked for but could not be evaluated, for reasons that say nothing about it. It is
 * not handed out any more. The strategy, which waits for an answer, is told the median of the valid results so far;
 * without any, that it failed. It never counts as best. False when out of memory.
 */
bool search_tell_nothing(struct search *search, size_t index);

/* The number of configurations told, and the best of them (false: none is valid). */
size_t search_told(const struct search *search);
bool search_best(const struct search *search, struct observation *best);

#endif
