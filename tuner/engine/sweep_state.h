/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_state.h - a sweep under way: what the parts of a sweep share.
 */
#ifndef TUNE_ENGINE_SWEEP_STATE_H
#define TUNE_ENGINE_SWEEP_STATE_H

#include "tuner/engine/expectation.h"
#include "tuner/engine/findings.h"
#include "tuner/engine/sweep.h"
#include "tuner/engine/warm_start.h"
#include "tuner/search/tradeoff.h"

struct sweep {
    const struct problem *problem;
    struct store *store;
    const struct sweep_options *options;
    const struct objective *objective;
    const struct aims *aims; /* several objectives, of which that is the first; NULL: it is the only one */
    sweep_observer *observe;
    void *context;
    struct sweep_summary *summary;

    struct store_problem identity;
    struct metrics *metrics; /* of the template, at the problem's sizes */
    struct findings findings;
    struct tradeoff *search;
    struct stopping *until;          /* NULL: the search does not end by itself */
    struct kept_crew *kept;          /* whose fleet works on it: */
    struct kept_crew own;            /* this one, unless the caller has one */
    struct sweep *next;              /* of those that it works for */
    struct crew_plan plan;           /* of the crew */
    struct expectation *expectation; /* of compile times */
    double started;
    double held_up;         /* seconds that former crews waited for devices which others held */
    double gave_sign;       /* when the run last gave a sign of life */
    size_t submitted, made; /* evaluations of this run: started, finished */
    size_t open;            /* submitted and not finished */
    bool is_crowded;        /* there are more questions, but no room for them in the crew */
    bool has_begun;         /* its run is in the database */
    size_t results_before;  /* made or reused, when this round began */
    bool is_over;           /* nothing is open, and nothing more will be */
    double incumbent_ns;    /* for candidates that are measured now; 0: none, or it does not matter */
    size_t fruitless;       /* evaluations since the incumbent was found */
    bool knows_energy;      /* some evaluation had it */
    bool has_predicted;     /* the search was told the predictions */
    const char *stopping;   /* the status to end with; NULL: continue */
    int64_t *reused;        /* evaluations still to be linked to this run */
    size_t reused_count, reused_capacity;
    struct strategy_setup setup;    /* of the search */
    size_t priors[WARM_START_MOST]; /* that the setup refers to */
    char *definitions;              /* of metrics */
    char *best_text;
    size_t *front; /* of several objectives: the configurations that no other dominates so far, see sweep_front.h */
    size_t front_count, front_capacity;
};

/*
 * Workers read the sources every time: a row of changed sources must not be stored under the old hash. `*touched`:
 * the sources are those of the hash, but were written to, so that what workers are doing now may be about others.
 */
bool sweep_check_sources(const struct sweep *sweep, bool *touched, struct error *error);

/* Say now and then that the run is alive: a row may take long. */
bool sweep_give_sign(struct sweep *sweep, struct error *error);

/* Compute the template's metrics of a valid evaluation, to be stored with it. */
bool sweep_set_metrics(const struct sweep *sweep, const char *configuration, struct evaluation *evaluation,
                       struct error *error);

/* The default that the space names; false: it names none that is valid. */
bool sweep_default(const struct sweep *sweep, size_t *index);

/* Is it better than the incumbent? */
bool sweep_is_new_best(const struct sweep *sweep, size_t index);

/* Make configuration `index` the incumbent, with its finding's figures. */
bool sweep_keep_best(struct sweep *sweep, size_t index, struct error *error);

#endif
