/* SPDX-License-Identifier: Apache-2.0 */
/*
 * final_results.h - finals under way, and what is kept of them when they have ended.
 */
#ifndef TUNE_ENGINE_FINAL_RESULTS_H
#define TUNE_ENGINE_FINAL_RESULTS_H

#include "tuner/engine/finals.h"
#include "tuner/engine/sweep_state.h"

struct entrant {
    size_t index; /* of the problem's configuration */
    char *text;
    void *image; /* once compiled */
    size_t image_bytes;
    struct evaluation latest;        /* the last one that was ok */
    double times[FINAL_ROUNDS_MOST]; /* ns, by round; so are the energies */
    double energies[FINAL_ROUNDS_MOST];
    double device_times[FINAL_ROUNDS_MOST];
};

struct event {
    struct sweep *sweep;
    struct finals finals;
    struct entrant entrants[FINALISTS_MOST];
    double deadline; /* on the monotonic clock */
    size_t samples;
    size_t repeat_most; /* of a front: hold finals once more, if so many have room in them; 0: do not */
    bool repeat;        /* found afterwards: they are to be held */
};

/* Finals compare rounds with each other, so all must be of the same sources without a doubt. */
bool final_sources_same(const struct sweep *sweep, struct error *error);

/* Store the result of finals that were completed: their figures become those of the finalists. */
bool final_results_keep(struct event *event, struct error *error);

/* After the incumbent has failed, the best of the rest becomes it. */
bool final_results_without(struct sweep *sweep, struct error *error);

#endif
