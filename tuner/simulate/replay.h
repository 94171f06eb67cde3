/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.h - a search simulated on a recording: results are looked up, and a simulated machine (machine.h) takes the
 * time that each evaluation took.
 *
 * Whenever an evaluation ends, the strategy is told, and asked for as many as there is room for. Evaluations still
 * under way at the end of the space's time window don't count. What a sweep does besides is not replayed: that when
 * nothing more will be asked those left are compiled longest first, and its finals.
 *
 * A search that may stop by itself goes on beyond the window and the optimum until it does, or until nothing is left;
 * one of which is asked when it comes near the optimum goes on until it does. What the trace says of the window is
 * the same.
 */
#ifndef TUNE_SIMULATE_REPLAY_H
#define TUNE_SIMULATE_REPLAY_H

#include "tuner/search/search.h"
#include "tuner/simulate/simulated_space.h"

struct replay_plan {
    const struct strategy_driver *driver;
    const double *parameters; /* of the strategy; NULL for the presets */
    const char *program;      /* of exec; NULL for the others */
    size_t evaluations;       /* the budget that the strategy is told; 0: none */
    double within;            /* go on until the best is within this share of the optimum; 0: to the window's end */
    double until;             /* go on until the search would stop by itself (stopping.h); 0: to the window's end */
};

/* The best rank so far at each of the space's times, valid - 1 before anything valid is found, and the number of
 * evaluations that ended by the last of them. */
struct replay_trace {
    float ranks[SCORE_TIMES];
    size_t evaluations;
    size_t within_after; /* evaluations until the best was within the share `within` of the optimum; 0: it was not, or
                            not asked */
    bool stopped;        /* the search stopped by itself before all was evaluated, */
    bool right;          /* within the share `until` of the optimum, */
    size_t stopped_after; /* evaluations; if it did not stop, all that it made; 0: it could not */
};

/* The same seed gives the same trace. */
bool replay_run(const struct simulated_space *space, const struct replay_plan *plan, uint64_t seed,
                struct replay_trace *trace, struct error *error);

/* A trace of another program's search by time: at ascending times, in seconds, its best objective so far in
 * nanoseconds (0: nothing valid yet). */
void replay_trace_read(const struct simulated_space *space, const double *seconds, const double *best_ns,
                       size_t count, struct replay_trace *trace);

#endif
