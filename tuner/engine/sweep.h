/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep.h - the engine: asks a strategy, has configurations compiled and measured in worker processes, stores rows.
 *
 * The calling process never touches a device. The compile workers and the measuring worker of each device are child
 * processes that run this same program; each request has a deadline, and a worker that dies or does not answer costs
 * one row. Rows are committed as they arrive. A sweep continues where an earlier one of the same identity stopped.
 * Whatever the strategy, the space's default comes first, and then what was best for similar problems (warm_start.h).
 *
 * At the end, the candidates for the best are measured again in turns (finals.h). They are the valid configurations
 * whose interval starts below the end of the incumbent's plus 2 % for drift, at most 16, and in any case the second
 * best if it is within 5 %, and the default unless it is slower by a quarter. There are no finals if only one
 * configuration qualifies, if all of them were in finals before, or if the sweep was interrupted. Finals take at most
 * a tenth of the sweep's time, or 2 s if that is more, but at least the minimum number of rounds that can decide. To
 * make these fit, the field is limited to the best where evaluations take long, though to no fewer than 4, and to 4
 * where the energy of each has to be metered.
 *
 * By several objectives (tuner/search/tradeoff.h) there is a front instead of a best. Its finals are six rounds
 * of those that no other dominates and of those within 2 % of one of them by every objective: at most 16, or 8 where
 * energy has to be metered, the ends of the front and where it is least crowded first. What is on the front
 * afterwards is decided by the medians of the rounds; where these make others seem to belong to it that were measured
 * only once, such finals are held once more with them. What took no part is not on it. "The best" is then the one by
 * the first objective. These finals take what they take.
 */
#ifndef TUNE_ENGINE_SWEEP_H
#define TUNE_ENGINE_SWEEP_H

#include "db/store.h"
#include "tuner/engine/effect.h"
#include "tuner/engine/kept_crew.h"
#include "tuner/search/search.h"
#include "tuner/space/aims.h"
#include "tuner/workers/crew.h"

#include <signal.h>

struct sweep_options {
    const struct strategy_driver *strategy;
    const double *strategy_parameters; /* NULL: the presets */
    const char *strategy_program;      /* of exec; NULL for the others */
    const char *strategy_text;         /* as the user wrote it, for the record */
    uint64_t seed;
    const char *budget_text;           /* as the user wrote it, for the record; "": none */
    uint64_t budget_evaluations;       /* 0: no limit */
    double budget_seconds;             /* 0: no limit */
    uint64_t least_evaluations;        /* the time limit waits until so many are made, */
    double overtime_seconds;           /* but for no longer than this */
    double until;                      /* stop once the next evaluations are expected to gain less than
                                        * this share (stopping.h); 0: never */
    uint64_t patience;                 /* stop after so many evaluations without improvement; 0: never */
    bool fresh;                        /* measure again what the database has */
    bool observe_idle;                 /* call the observer also while nothing finishes */
    bool finals;                       /* hold finals */
    bool every_sample;                 /* slow configurations get as many samples as fast ones */
    const struct objective *objective; /* what to look for; NULL: time */
    const struct aims *aims;           /* look for the front of several, of which that is the first; it has their
                                        * limits, and needs the energy if any does. NULL: that one alone. Not with
                                        * predictions, `until`, `finalists` and exec */
    struct crew_plan crew;             /* the workers; its device is the problem's */
    const struct fleet_away *away;     /* hands on other nodes; NULL: none */
    struct kept_crew *kept;            /* the crew stays here for the next sweep; NULL: this one's own */
    const size_t *first;               /* configurations to begin with, rather than what warm_start.h finds */
    size_t first_count;                /* 0: what warm_start.h finds */
    const struct sweep_prediction *predictions; /* see below; the first ones are of `first`, in that order */
    size_t prediction_count;                    /* 0: none, or at least first_count */
    const size_t *finalists; /* hold finals among these, which the database knows, and search nothing; NULL: search */
    size_t finalist_count;   /* at most FINALISTS_MOST */
    double finals_seconds;   /* for these finals, beyond the rounds that they need at least */
    struct effects *effects; /* gets the images, to find parameters without effect; NULL: not wanted */
    /* Set by the caller's signal handler; 1: finish what is being measured and stop; more: stop at once. */
    const volatile sig_atomic_t *interrupted;
};

/*
 * What is known of a configuration elsewhere: its cost as a multiple of the least. Once those to begin with have been
 * measured, which shows what the least is here, the search is told the others' costs as if they had been measured: it
 * learns from them, and does not ask for what is bad elsewhere. They are no results: nothing is stored.
 */
struct sweep_prediction {
    size_t index;
    double ratio;
};

/* What progress displays and the final table need, after every row. */
struct sweep_progress {
    size_t total, done, reused;     /* configurations: in total, finished, taken from the database */
    size_t failed[OUTCOME_COUNT];   /* by outcome; [OUTCOME_OK] stays 0 */
    double best_ns;                 /* time of the best by the objective; 0: none yet */
    double best_value;              /* the objective's value */
    size_t front;                   /* of several objectives: configurations that no other dominates; 0: of one */
    size_t undefined;               /* valid configurations without one, which are never best */
    struct work best_work;          /* its work */
    const char *best_configuration; /* canonical JSON, for the observer; NULL in the summary */
    double seconds, seconds_left;   /* left: -1 when not known */
    struct crew_load load;          /* what the workers are doing */
    size_t final_round, finalists;  /* in the finals: rounds completed, finalists left; otherwise 0 */
};

/* How the finals ended. */
struct sweep_finals {
    size_t finalists, rounds;  /* 0: there were none */
    size_t lost, tied;         /* finalists that lost to, or tied with, the winner */
    const char *needs_less_of; /* a resource of which the winner needs less than all that tied; NULL: none */
};

struct sweep_summary {
    struct sweep_progress progress;
    int64_t run_id;
    const char *status;  /* as in store_run_end */
    bool expects_little; /* it ended because of options.until */
    size_t best_index;   /* of the problem's configuration, if progress.best_ns is not 0 */
    size_t from_cache;   /* evaluations of this run whose image came from the cache */
    double compile_seconds, validate_seconds, measure_seconds;
    struct sweep_finals finals;
    struct error undefined; /* why the first of progress.undefined has no value of the objective */
};

/* Called after every row, and during finals after every round, then with `latest` and `configuration` NULL. With
 * observe_idle it is also called, likewise with NULL but final_round 0, after each wait for the workers in which
 * nothing finished. For a row that the database already had, `latest` holds only outcome and time. */
typedef void sweep_observer(const struct sweep_progress *progress, const struct evaluation *latest,
                            const char *configuration, void *context);

/*
 * Sweep until the strategy has no more questions, the budget is spent, or the user interrupts. Finding nothing valid
 * is not a failure (progress.best_ns is 0). The budget counts evaluations made, not those that the database had.
 * False: an expression of the template cannot be evaluated whatever the configuration, its reference fails, its
 * sources change during the sweep, the compiler cannot be run, the device is lost or does not report the energy that
 * the objective needs, or the database cannot be written. What was stored stays, and `summary` is filled in
 * nevertheless.
 */
bool sweep_run(const struct problem *problem, struct store *store, const struct sweep_options *options,
               sweep_observer *observe, void *context, struct sweep_summary *summary, struct error *error);

#endif
