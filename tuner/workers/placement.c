/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/placement.h"

#include <sys/resource.h>

cpu_set_t placement_cores(void)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) != 0)
        CPU_ZERO(&cores);
    return cores;
}

cpu_set_t placement_part(const cpu_set_t *cores, unsigned part, unsigned parts)
{
    unsigned count = (unsigned)CPU_COUNT(cores), at = 0;
    if (parts == 0 || part >= parts || count < parts)
        return *cores;
    cpu_set_t chosen;
    CPU_ZERO(&chosen);
    for (size_t core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, cores))
            continue;
        if (at * parts / count == part)
            CPU_SET(core, &chosen);
        at++;
    }
    return chosen;
}

/* All but the last `spared`: the first core usually handles interrupts. */
static cpu_set_t all_but(const cpu_set_t *available, unsigned spared)
{
    cpu_set_t cores = *available;
    for (size_t core = CPU_SETSIZE; core-- > 0 && spared > 0;) {
        if (CPU_ISSET(core, &cores)) {
            CPU_CLR(core, &cores);
            spared--;
        }
    }
    return cores;
}

struct placement placement_plan(const cpu_set_t *available, bool shares_cores, size_t measurers, unsigned jobs)
{
    unsigned cores = (unsigned)CPU_COUNT(available), spared = shares_cores ? 0 : (unsigned)measurers;
    unsigned suitable = cores > spared ? cores - spared : 1;
    struct placement placement = {.compile_jobs = jobs ? jobs : suitable, .yields = !shares_cores};
    if (placement.compile_jobs > COMPILE_JOBS_MOST)
        placement.compile_jobs = COMPILE_JOBS_MOST;
    placement.pinned = spared > 0 && cores > spared && placement.compile_jobs <= suitable;
    if (placement.pinned)
        placement.cores = all_but(available, spared);
    return placement;
}

void placement_apply(const struct placement *placement, pid_t worker)
{
    enum { NICER_BY = 10, NICEST = 19 };
    const struct sched_param parameters = {.sched_priority = 0};
    if (placement->pinned)
        (void)sched_setaffinity(worker, sizeof placement->cores, &placement->cores);
    if (placement->yields) {
        int niceness = getpriority(PRIO_PROCESS, 0) + NICER_BY; /* than this process, which may be nice itself */
        (void)setpriority(PRIO_PROCESS, (id_t)worker, niceness < NICEST ? niceness : NICEST);
        (void)sched_setscheduler(worker, SCHED_BATCH, &parameters);
    }
}
