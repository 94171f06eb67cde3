/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simulation.h - every strategy on every recording, repeatedly and in parallel.
 *
 * The seed of a replay derives from the simulation's seed and the numbers of the space and the repeat: results don't
 * depend on the number of threads, and all strategies get the same seeds.
 */
#ifndef TUNE_SIMULATE_SIMULATION_H
#define TUNE_SIMULATE_SIMULATION_H

#include "tuner/simulate/score.h"

/* `done` of `total` replays have ended. Called from any thread, but never from two at once. */
typedef void simulation_observer(size_t done, size_t total, void *context);

struct simulation {
    const struct simulated_space *const *spaces;
    size_t space_count;
    const struct replay_plan *plans; /* the strategies */
    size_t plan_count;
    size_t repeats;
    uint64_t seed;
    unsigned jobs;    /* threads */
    double within;    /* of the plans; 0: not asked */
    double until;     /* of the plans; 0: searches do not stop by themselves */
    bool tell_budget; /* tell strategies a budget: as many evaluations as random search makes by the end */
    simulation_observer *observe; /* or NULL */
    void *context;
};

/* Fills in scores[plan * space_count + space]. Errors: a strategy's own, out of memory. */
bool simulation_run(const struct simulation *simulation, struct score *scores, struct error *error);

#endif
