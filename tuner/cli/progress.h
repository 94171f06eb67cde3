/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h - the progress of a sweep on stderr.
 *
 * On a terminal a few lines are drawn over and over: a bar with the rate and the time left; the best so far with its
 * parameters; what the workers do, and failures by kind. They vanish at the end. Elsewhere one line is written at
 * each new best and every ten seconds.
 */
#ifndef TUNE_CLI_PROGRESS_H
#define TUNE_CLI_PROGRESS_H

#include "tuner/cli/live.h"
#include "tuner/engine/sweep.h"

#include <stdio.h>

struct json_t;

struct progress {
    bool quiet;
    struct live live;
    const struct objective *objective;        /* NULL: time */
    const struct json_t *fixed;               /* parameters that need no showing (parameters_fixed); NULL: none */
    const volatile sig_atomic_t *interrupted; /* set while the sweep is asked to stop; may be NULL */
    FILE *lines;                              /* where lines go that are not drawn: stderr */
    double shown_at;                          /* sweep seconds of the last frame or line */
    double shown_best_ns;
};

struct progress progress_begin(bool quiet);

/* A sweep_observer; `context` is the struct progress. */
void progress_observe(const struct sweep_progress *sweep, const struct evaluation *latest, const char *configuration,
                      void *context);

/* The crew's notice; `context` is the struct progress. */
void progress_notice(const char *text, void *context);

/* Remove what is drawn. */
void progress_end(struct progress *progress);

/* "3 wrong_result, 2 timeout", "" for none. */
void progress_failures(const size_t failed[OUTCOME_COUNT], char *buffer, size_t size);

#endif
