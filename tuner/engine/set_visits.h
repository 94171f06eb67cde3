/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_visits.h - the visits of a sweep over many sizes, several of which are under way at a time.
 *
 * A visit has few questions, and waits for answers before it asks the last of them. On a GPU these take as long as
 * one compilation, a second or two, in which most compile workers and the device have nothing to do. So the next
 * visit begins when those under way have asked all that they can for now, nothing has finished for a moment, and a
 * compile worker is idle. What is begun early knows less, so there are only a few: while everything is in the cache,
 * or measuring takes the time, one visit follows the other.
 */
#ifndef TUNE_ENGINE_SET_VISITS_H
#define TUNE_ENGINE_SET_VISITS_H

#include "tuner/engine/set_stages.h"
#include "tuner/engine/set_sweep.h"

/* Called when a visit is over, with what its sweep did, or has done until it failed: not `done`. False: not done, or
 * an error that ends it all. */
typedef bool set_visit_over(size_t size, const struct sweep_summary *summary, bool done, void *context,
                            struct error *error);

/* What all visits share; to be filled in by the caller, the rest being 0. */
struct set_visits {
    struct problem *const *problems;
    struct store *store;
    const struct set_options *options;
    set_visit_over *over;
    void *context;

    struct kept_crew kept;
    struct under_way *first; /* the visits, oldest first */
    size_t count;
    double last_result; /* when it came, or a visit began; on the monotonic clock */
};

/* Begin a visit, and go on until the next one may begin. Before finals all others have to be over; they are when this
 * returns. False as of sweep_run or `over`; then only set_visits_close is left. */
bool set_visits_begin(struct set_visits *visits, const struct set_visit *visit, struct error *error);

bool set_visits_has(const struct set_visits *visits, size_t size);

/* Go on until the visit of a size is over, or all are (SET_ALL). False as above. */
bool set_visits_settle(struct set_visits *visits, size_t size, struct error *error);

/* Dismiss the crew; visits that are under way, after an error, fail. */
void set_visits_close(struct set_visits *visits);

#endif
