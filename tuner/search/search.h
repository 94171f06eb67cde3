/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search.h - a search under way: a strategy, and the memory of what was asked and told.
 *
 * The priors of the setup are handed out first, whatever the strategy, and each configuration once. What the strategy
 * asks for again is answered from memory, as often as it asks. If it repeats itself many times in a row, or has come
 * to its end, random configurations that were not tried yet are handed out instead and told to it as if it had asked:
 * a search ends when the caller ends it or nothing is left.
 */
#ifndef TUNE_SEARCH_SEARCH_H
#define TUNE_SEARCH_SEARCH_H

#include "tuner/search/strategy.h"

struct search;

/* `setup` and what it points to must outlive the search; its parameters may be NULL: the presets. */
bool search_create(const struct strategy_driver *driver, const struct strategy_setup *setup, struct search **result,
                   struct error *error);
void search_free(struct search *search);

/* The next configuration to evaluate, each at most once. */
enum answer search_ask(struct search *search, size_t *index);

/* How a configuration that was handed out did. One that was never asked for may be told as well (it was measured
 * earlier): the strategy learns from it, and it is not handed out any more. A valid one whose objective is no finite
 * number counts as failed. False when out of memory. */
bool search_tell(struct search *search, const struct observation *observation);

/* Configurations that were told, and the best of them (false: none valid). */
size_t search_told(const struct search *search);
bool search_best(const struct search *search, struct observation *best);

#endif
