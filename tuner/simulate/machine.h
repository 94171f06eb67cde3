/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.h - a simulated machine that evaluates configurations like the crew of a sweep (workers/crew.h), at the
 * pace that workers/pacing.h sets for both.
 *
 * Compile workers take what was submitted, in that order; one measuring worker takes what they have compiled, in the
 * order in which they finish. On a machine that takes turns, compiling and measuring alternate. A machine without
 * compile workers evaluates one configuration at a time, from its compilation to its last sample, as tuners without
 * parallelism do. Handing over takes no time, and neither does whoever asks and tells.
 */
#ifndef TUNE_SIMULATE_MACHINE_H
#define TUNE_SIMULATE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

struct machine_plan {
    unsigned compilers; /* compile workers; 0: one evaluation at a time */
    bool takes_turns;
};

/* By configuration. */
struct machine_times {
    const double *compile; /* seconds */
    const double *measure; /* seconds of validating and measuring; negative: what is compiled is not measured */
};

struct machine;

/* The times must outlive it. NULL when out of memory. */
struct machine *machine_create(const struct machine_plan *plan, const struct machine_times *times);
void machine_free(struct machine *machine);

/* Nothing is under way, and it is time 0. */
void machine_reset(struct machine *machine);

/* How many more configurations to submit now. */
size_t machine_room(const struct machine *machine);

/* Only while there is room. */
void machine_submit(struct machine *machine, size_t index);

/* Go on to the next time at which a configuration is compiled or finished, or is so slow that there may be room for
 * another. False: nothing is under way. */
bool machine_step(struct machine *machine);
double machine_seconds(const struct machine *machine);

/* One that has finished; false: none. Each is given once, in the order in which they finish. */
bool machine_finished(struct machine *machine, size_t *index);

#endif
