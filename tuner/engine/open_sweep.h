/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open_sweep.h - a sweep in parts, so that several can be under way on one crew.
 *
 * Compiling may take a thousand times as long as measuring: a sweep with only a few questions at a time, or which has
 * to wait for answers before it asks the next, leaves most workers idle for as long as one of them compiles. Others
 * of the same template and device have work for them. The crew keeps what it gets in order, so whoever asked first is
 * served first; answers go to the sweep that asked. Each sweep has its run, budget and strategy, as if it were alone,
 * but that what a sweep has asked for when its time is over is still evaluated while others are under way.
 *
 * sweep_run is all of this for one sweep.
 */
#ifndef TUNE_ENGINE_OPEN_SWEEP_H
#define TUNE_ENGINE_OPEN_SWEEP_H

#include "tuner/engine/sweep.h"

struct sweep;

/* As the arguments of sweep_run. What the members point to must outlive the sweep. */
struct sweep_request {
    const struct problem *problem;
    struct store *store;
    const struct sweep_options *options; /* with `kept`, on whose crew others may be under way */
    sweep_observer *observe;
    void *context;
};

/* Begin a run, and take what the database has. `summary` must outlive the sweep, and is filled in as it goes on. The
 * sweep is to be closed also on failure, which is as of sweep_run. */
bool sweep_open(const struct sweep_request *request, struct sweep_summary *summary, struct sweep **sweep,
                struct error *error);

struct kept_crew *sweep_crew(const struct sweep *sweep);

/*
 * All sweeps of a crew ask what they can; its workers go on for at most `milliseconds`, or until something happens,
 * and what is finished is stored. Returns early when a sweep is over, which must then be closed before the next call.
 * `*quiet`: nothing has finished, and nothing is over. At least one sweep must be under way. On failure, all of them
 * fail.
 */
bool sweeps_go_on(struct kept_crew *kept, int milliseconds, bool *quiet, struct error *error);

/* Has all been asked and answered? */
bool sweep_is_over(const struct sweep *sweep);

/* Would it ask more now, if there were room in the crew? */
bool sweep_is_crowded(const struct sweep *sweep);

/* Hold finals, if it has `searched` and its options say so, and end the run; with finals it must be the only one that
 * is under way. After a failure the crew is dismissed. NULL is allowed, and a failure. False as of sweep_run. */
bool sweep_close(struct sweep *sweep, bool searched, struct error *error);

#endif
