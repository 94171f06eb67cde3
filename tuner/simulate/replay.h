/* SPDX-License-Identifier: Apache-2.0 */
/*
 * replay.h - a search carried out on a recording: what a configuration would have cost passes on a clock, and how it
 * did is looked up.
 *
 * As many evaluations as the space says are under way at once; a new one begins when one ends, and the strategy is
 * told then. What began before the end of the space's time but ends after it does not count.
 */
#ifndef TUNE_SIMULATE_REPLAY_H
#define TUNE_SIMULATE_REPLAY_H

#include "tuner/search/search.h"
#include "tuner/simulate/simulated_space.h"

struct replay_plan {
    const struct strategy_driver *driver;
    const double *parameters; /* of the strategy; NULL: the presets */
    size_t evaluations;       /* what the strategy is told of its budget; 0: nothing */
};

/* The best place so far at each of the space's times, valid - 1 before anything valid was found; and how many
 * evaluations ended until the last of them. The same seed gives the same answer. */
struct replay_trace {
    float places[SCORE_TIMES];
    size_t evaluations;
};

bool replay_run(const struct simulated_space *space, const struct replay_plan *plan, uint64_t seed,
                struct replay_trace *trace, struct error *error);

/* The same trace from times (seconds, ascending) at which evaluations ended, and the objectives that were the best
 * by then (nanoseconds; 0: nothing valid yet), as another program's search had them. */
void replay_trace_read(const struct simulated_space *space, const double *seconds, const double *best_ns,
                       size_t count, struct replay_trace *trace);

#endif
