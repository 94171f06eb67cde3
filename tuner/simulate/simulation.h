/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simulation.h - strategies on recordings, over and over, on all cores.
 *
 * Each replay has a seed of its own, made of the simulation's, the space's number and the repeat's, so that the
 * result does not depend on the number of threads, and strategies are compared with the same luck.
 */
#ifndef TUNE_SIMULATE_SIMULATION_H
#define TUNE_SIMULATE_SIMULATION_H

#include "tuner/simulate/score.h"

/* `done` of `total` replays have ended. Called by one thread at a time, but by any of them. */
typedef void simulation_observer(size_t done, size_t total, void *context);

struct simulation {
    const struct simulated_space *const *spaces;
    size_t space_count;
    const struct replay_plan *plans; /* the strategies */
    size_t plan_count;
    size_t repeats;
    uint64_t seed;
    unsigned jobs;                /* threads */
    bool tell_budget;             /* strategies hear how many draws random search has until the end, as evaluations */
    simulation_observer *observe; /* or NULL */
    void *context;
};

/* scores[plan * space_count + space]. Errors: a strategy's own, out of memory, no threads. */
bool simulation_run(const struct simulation *simulation, struct score *scores, struct error *error);

#endif
