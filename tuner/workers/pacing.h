/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pacing.h - how many candidates may be under way, and when they are compiled and when measured.
 *
 * What is submitted early was chosen knowing little. So there are only as many as keep the workers busy: by Little's
 * law (J. D. C. Little, "A proof for the queuing formula L = lambda W", Operations Research 9, 1961) the fewer, the
 * faster candidates are compiled, compared with how fast they are measured. Where the two take turns, a turn of
 * compiling begins when all that was measured is known, and nothing is submitted before.
 *
 * Some take far longer than most: compiled anew, where the images of the others come from the cache. While a worker
 * is at one of these, another candidate takes its place. Else a handful of them, which the median does not show,
 * would be all that is under way, and every other worker would wait.
 *
 * All of it follows from how many candidates there are at each stage, what they took, and the clock. So a replay
 * (simulate/machine.h) can do what a crew does.
 */
#ifndef TUNE_WORKERS_PACING_H
#define TUNE_WORKERS_PACING_H

#include <stdbool.h>
#include <stddef.h>

enum { PACING_LAST = 15 };

/* What candidates took lately. The median: the first ones also pay for what is done once, such as the reference. */
struct pacing_times {
    double median; /* seconds */
    double last[PACING_LAST];
    size_t count; /* so far */
};

struct pacing {
    size_t compilers, measurers; /* workers */
    bool takes_turns;            /* compiling and measuring alternate, as both need the host's cores */
    bool measuring_turn;
    double turn_start; /* seconds */
    struct pacing_times compile, measure;
};

/* Candidates by stage. */
struct pacing_load {
    size_t waiting, compiling, compiled, measuring;
    size_t finished; /* and not collected yet */
    size_t slow;     /* of those being compiled: for longer than pacing_patience */
    bool is_full;    /* the images of those compiled take much memory */
};

/* A worker took so long for a candidate. */
void pacing_learn(struct pacing_times *times, double seconds);

/* For how many seconds a candidate is compiled before another takes its place; HUGE_VAL: none does. */
double pacing_patience(const struct pacing *pacing);

/* Those under way. */
size_t pacing_inside(const struct pacing_load *load);

/* How many more candidates to take; some if none is under way. */
size_t pacing_room(const struct pacing *pacing, const struct pacing_load *load);

/* No more than this are ever under way, if submitted only while there is room. */
size_t pacing_most(const struct pacing *pacing);

/* Change turns if it is time. */
void pacing_change_turns(struct pacing *pacing, const struct pacing_load *load, double now);

/* May another candidate be compiled? May one be measured? */
bool pacing_may_compile(const struct pacing *pacing, const struct pacing_load *load, double now);
bool pacing_may_measure(const struct pacing *pacing);

#endif
