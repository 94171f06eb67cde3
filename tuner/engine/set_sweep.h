/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_sweep.h - one sweep for many sizes of a template.
 *
 * Each size is an ordinary problem, with ordinary runs and rows. What is known at some sizes decides what is tried at
 * the next, and in the end a few configurations are chosen and a tree that picks among them: set_stages.h says how.
 */
#ifndef TUNE_ENGINE_SET_SWEEP_H
#define TUNE_ENGINE_SET_SWEEP_H

#include "tuner/engine/set_stages.h"

/* Called before each sweep: the `number`th of `count` sizes of a stage. */
typedef void set_observer(enum set_stage stage, size_t number, size_t count, const struct problem *problem,
                          void *context);

struct set_options {
    struct sweep_options sweep; /* of each size, but for the budget, which is of all together; fresh is ignored */
    size_t configurations;      /* at most so many in the end; at most DISPATCH_CONFIGURATIONS_MOST */
    set_observer *begin;        /* may be NULL */
    sweep_observer *observe;    /* of each sweep */
    void *context;              /* of both */
};

struct set_summary {
    size_t evaluations; /* made */
    size_t known;       /* at the start, from the database */
    size_t without;     /* sizes at which nothing is valid */
    size_t finals;      /* sizes at which finals were held */
    size_t missing;     /* sizes at which the answer was not measured, for lack of budget, or failed */
    double seconds, compile_seconds, validate_seconds, measure_seconds;
    bool stopped;              /* interrupted: then there is no dispatch */
    struct dispatch *dispatch; /* stored; NULL: nothing is valid anywhere. For the caller to free. */
};

/*
 * `problems` are of the sizes of the set, in its order: of one template, space and device. If the set names data
 * files, each may have its own; the tree is then one for all data, as programs ask for it. The budget counts
 * evaluations made and those of its share that the database had, so that an interrupted sweep goes on where it
 * stopped. False as of sweep_run; what was stored stays.
 */
bool set_sweep_run(struct problem *const *problems, const struct size_set *set, struct store *store,
                   const struct set_options *options, struct set_summary *summary, struct error *error);

#endif
