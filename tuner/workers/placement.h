/* SPDX-License-Identifier: Apache-2.0 */
/*
 * placement.h - how many compile workers to run and on which cores, so that compiling never disturbs a timing.
 *
 * On an accelerator, one core per measuring worker is kept free of compilers, for that worker and the parent, which
 * is mostly asleep. Compile workers are pinned to the remaining cores and run at low priority. The measuring workers
 * and the parent are not pinned, so that they can move away from a core that another program loads. On a device that
 * computes with the host's cores, compiling and measuring take turns, and each gets all cores. A user who asks for
 * more compile workers than there are cores left for gets them, unpinned.
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
    bool yields;     /* compile workers run at low priority */
    bool pinned;     /* and only on these cores */
    cpu_set_t cores; /* if pinned */
};

/* The cores that this process may use; none if the system does not say. */
cpu_set_t placement_cores(void);

/* Of these cores, part `part` of `parts` about equal ones, for crews that share a machine. All of them where they are
 * fewer than the parts, or where `parts` is 0. */
cpu_set_t placement_part(const cpu_set_t *cores, unsigned part, unsigned parts);

/* For `measurers` measuring workers and `jobs` compile workers (0: as many as suit the machine). */
struct placement placement_plan(const cpu_set_t *available, bool shares_cores, size_t measurers, unsigned jobs);

/* Set a compile worker's cores and priority. Errors are ignored: results are right without. */
void placement_apply(const struct placement *placement, pid_t worker);

#endif
