/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep.h - the engine: asks a strategy, has configurations compiled and measured in child processes, stores rows.
 *
 * The parent process that calls this never touches a device. Compile workers and one measuring worker are children
 * that run this same program; each request has a deadline, and a worker that dies or does not answer costs one row.
 * Rows are committed as they arrive. A sweep goes on where an earlier one with the same identity stopped.
 *
 * At its end those that may be the best are measured again in turns (finals.h). They are the valid configurations
 * whose interval begins below the end of the best one's and 2 % for drift, 16 at most, and the second best in any
 * case if it is within 5 %. There are none if one alone may be the best, if all of them were in finals before, or if
 * the sweep was interrupted. They take no longer than a tenth of the sweep, or 2 s if that is more; but the least
 * rounds that can decide are always played. So that these fit, only the best of the field take
 * part where evaluations take long, 4 at least, and no more than 4 where each has to be metered for its energy.
 */
#ifndef TUNE_ENGINE_SWEEP_H
#define TUNE_ENGINE_SWEEP_H

#include "db/store.h"
#include "tuner/evaluation/objective.h"
#include "tuner/search/search.h"
#include "tuner/workers/crew.h"

#include <signal.h>

struct sweep_options {
    const struct strategy_driver *strategy;
    const double *strategy_parameters; /* NULL: the presets */
    const char *strategy_text;         /* as the user named it: for the record */
    uint64_t seed;
    const char *budget_text;                  /* as the user wrote it, "" for none: for the record */
    uint64_t budget_evaluations;              /* 0: no limit */
    double budget_seconds;                    /* 0: no limit */
    uint64_t patience;                        /* stop after as many evaluations that found nothing better; 0: never */
    bool fresh;                               /* measure again what the database already has */
    bool finals;                              /* decide who is best of those that may be */
    const struct objective *objective;        /* what to minimise; NULL: time */
    struct crew_plan crew;                    /* the workers; its device is the problem's */
    const volatile sig_atomic_t *interrupted; /* set by the caller's signal handler: 1: finish the row and stop;
                                                 more: stop at once */
};

/* What the progress line and the closing table need, after every row. */
struct sweep_progress {
    size_t total, done, reused;     /* configurations: to do in all, finished, taken from the database */
    size_t failed[OUTCOME_COUNT];   /* by outcome; [OUTCOME_OK] stays 0 */
    double best_ns;                 /* time of the best by the objective; 0: none yet */
    double best_value;              /* the objective's */
    const char *best_configuration; /* canonical JSON, for the observer; NULL in the summary */
    double seconds, seconds_left;   /* left: -1 when not known */
    size_t final_round, finalists;  /* in the finals: rounds that are over, and who is left; else 0 */
};

/* How the finals ended. */
struct sweep_finals {
    size_t finalists, rounds;  /* 0: there were none */
    size_t lost, tied;         /* to the winner, with the winner */
    const char *needs_less_of; /* a resource of which the winner needs less than each that it tied with; NULL: none */
};

struct sweep_summary {
    struct sweep_progress progress;
    int64_t run_id;
    const char *status; /* as in store_run_end */
    size_t best_index;  /* of the problem's configuration, if progress.best_ns is not 0 */
    size_t from_cache;  /* evaluations of this run that were not compiled: an earlier compilation was the same */
    double compile_seconds, validate_seconds, measure_seconds;
    struct sweep_finals finals;
};

/* Called after every row. Of a row that the database already had, `latest` holds outcome and time alone. In the
 * finals called after every round, with `latest` and `configuration` NULL. */
typedef void sweep_observer(const struct sweep_progress *progress, const struct evaluation *latest,
                            const char *configuration, void *context);

/*
 * Sweep until the strategy has no more questions, the budget is spent, or the caller is interrupted; that nothing
 * valid was found is no failure (progress.best_ns is 0). The budget counts evaluations made, not those the database
 * had. False: an expression of the template cannot be evaluated, its reference fails, its sources are changed
 * meanwhile, the compiler cannot be run, the device is lost or cannot tell the energy that the objective needs, or
 * the database cannot be written; what was stored stays, and `summary` is filled in all the same.
 */
bool sweep_run(const struct problem *problem, struct store *store, const struct sweep_options *options,
               sweep_observer *observe, void *context, struct sweep_summary *summary, struct error *error);

#endif
