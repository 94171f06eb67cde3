/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pacing.h - how many candidates may be under way, and when they are compiled and when measured.
 *
 * All of it follows from how many candidates there are at each stage, and the clock. So a replay (simulate/machine.h)
 * can do what a crew does.
 */
#ifndef TUNE_WORKERS_PACING_H
#define TUNE_WORKERS_PACING_H

#include <stdbool.h>
#include <stddef.h>

struct pacing {
    size_t compilers, measurers; /* workers */
    bool takes_turns;            /* compiling and measuring alternate, as both need the host's cores */
    bool measuring_turn;
    double turn_start; /* seconds */
};

/* Candidates by stage. */
struct pacing_load {
    size_t waiting, compiling, compiled, measuring;
    size_t finished; /* and not collected yet */
    bool is_full;    /* the images of those compiled take much memory */
};

/* Those under way. */
size_t pacing_inside(const struct pacing_load *load);

/* How many more candidates to take. */
size_t pacing_room(const struct pacing *pacing, const struct pacing_load *load);

/* Change turns if it is time. */
void pacing_change_turns(struct pacing *pacing, const struct pacing_load *load, double now);

/* May another candidate be compiled? May one be measured? */
bool pacing_may_compile(const struct pacing *pacing, const struct pacing_load *load, double now);
bool pacing_may_measure(const struct pacing *pacing);

#endif
