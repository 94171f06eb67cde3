/* SPDX-License-Identifier: Apache-2.0 */
/*
 * placement.h - how many compile workers there are and on which cores they run, so that compiling never disturbs a
 * timing.
 *
 * On a device of its own (a GPU) each measuring worker leaves one core free of compilers, for itself and the parent,
 * which mostly sleeps; compile workers are pinned to the others and yield to everything else. Measuring workers and
 * parent are not pinned: a stranger's load on one core must not catch them. On a device that computes with the
 * host's cores the two kinds of worker take turns, and each has all cores. A user who asks for more compile workers
 * than that leaves cores for gets them, unpinned.
 */
#ifndef TUNE_WORKERS_PLACEMENT_H
#define TUNE_WORKERS_PLACEMENT_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { COMPILE_JOBS_MOST = 64 };

struct placement {
    unsigned compile_jobs;
    bool yields;     /* compile workers let others go first */
    bool pinned;     /* and run on these cores alone */
    cpu_set_t cores; /* if pinned */
};

/* The cores that this process may use; none if the system does not tell. */
cpu_set_t placement_cores(void);

/* For `measurers` devices; `jobs`: compile workers asked for, 0: as many as suit. */
struct placement placement_plan(const cpu_set_t *available, bool shares_cores, size_t measurers, unsigned jobs);

/* Put a compile worker in its place. What the system refuses is left as it is: it is no condition of right results.
 */
void placement_apply(const struct placement *placement, pid_t worker);

#endif
