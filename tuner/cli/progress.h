/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h - the progress line on stderr: done of total, failures by kind, best so far, time left; then the finals.
 *
 * On a terminal one line is drawn over and over; elsewhere a line is written at each new best and every ten seconds.
 */
#ifndef TUNE_CLI_PROGRESS_H
#define TUNE_CLI_PROGRESS_H

#include "tuner/engine/sweep.h"

struct progress {
    bool quiet, terminal;
    bool drawn;          /* a line stands that must be ended */
    double flops, bytes; /* of the problem, for rates */
    const struct objective *objective;
    double shown_at; /* sweep seconds of the last line */
    double shown_best_ns;
};

void progress_begin(struct progress *progress, bool quiet);

/* A sweep_observer; `context` is the struct progress. */
void progress_observe(const struct sweep_progress *sweep, const struct evaluation *latest, const char *configuration,
                      void *context);

/* What sweep_options.notice wants; `context` is the struct progress. */
void progress_notice(const char *text, void *context);

/* End the line. */
void progress_end(struct progress *progress);

/* "3 wrong_result, 2 timeout", "" for none. */
void progress_failures(const size_t failed[OUTCOME_COUNT], char *buffer, size_t size);

#endif
