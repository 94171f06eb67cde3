/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_progress.h - what the observer of a sweep is told.
 */
#ifndef TUNE_ENGINE_SWEEP_PROGRESS_H
#define TUNE_ENGINE_SWEEP_PROGRESS_H

#include "tuner/engine/sweep_state.h"

/* The present state, after an evaluation or with NULLs in between. */
void sweep_report(struct sweep *sweep, const struct evaluation *evaluation, const char *configuration);

/* One more row is done. */
void sweep_report_row(struct sweep *sweep, const struct evaluation *evaluation, const char *configuration);

/* The user is told how many valid configurations the objective says nothing of. */
void sweep_count_undefined(struct sweep *sweep, const struct finding *finding);

#endif
