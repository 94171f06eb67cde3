/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_budget.h - what ends a run: its budget, its space, its user.
 */
#ifndef TUNE_ENGINE_SWEEP_BUDGET_H
#define TUNE_ENGINE_SWEEP_BUDGET_H

#include "tuner/engine/sweep_state.h"

/* Configurations in total: the space, or what the budget allows of it. */
size_t sweep_total(const struct sweep *sweep);

/* Of the budget: without the time in which another process had the device. */
double sweep_seconds_spent(const struct sweep *sweep);

size_t sweep_results(const struct sweep *sweep);    /* evaluations of the run so far, made or reused */
bool sweep_budget_spent(const struct sweep *sweep); /* every evaluation that it allows was submitted */
bool sweep_all_asked(const struct sweep *sweep);    /* the whole space was submitted or reused */
bool sweep_all_made(const struct sweep *sweep);     /* and is finished */

bool sweep_is_interrupted(const struct sweep *sweep);
bool sweep_is_impatient(const struct sweep *sweep); /* twice: what is under way is not waited for */

/* Must the run stop? Then `stopping` is the status to end with, and what waits is dropped. */
void sweep_look_around(struct sweep *sweep);

/* Are the next evaluations expected to gain so little that the run may stop? Then it does, likewise. */
void sweep_expect(struct sweep *sweep);

/* Of a run that did not fail. */
const char *sweep_status(const struct sweep *sweep);

/* As the user gave it; "": none. To be freed; NULL: out of memory. */
char *sweep_budget_text(const struct sweep_options *options);

/* How many evaluations the strategy will be told of, including those of the database: all of the space if nothing is
 * limited; 0, unknown, if time, patience or the expected gain is. */
size_t sweep_evaluations_allowed(const struct sweep_options *options, const struct findings *findings);

#endif
