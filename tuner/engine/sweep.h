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
#include "tuner/measure/objective.h"
#include "tuner/search/search.h"

#include <signal.h>

struct sweep_options {
    const struct strategy_driver *strategy;
    const double *strategy_parameters; /* NULL: the presets */
    const char *strategy_text;         /* as the user named it: for the record */
    uint64_t seed;
    const char *budget_text;           /* as the user wrote it, "" for none: for the record */
    uint64_t budget_evaluations;       /* 0: no limit */
    double budget_seconds;             /* 0: no limit */
    uint64_t patience;                 /* stop after as many evaluations that found nothing better; 0: never */
    unsigned compile_jobs;             /* 0: as many as suit the machine */
    double compile_deadline;           /* seconds for one compilation; 0: the default */
    double measure_deadline;           /* seconds for one evaluation; 0: the default */
    bool fresh;                        /* measure again what the database already has */
    bool finals;                       /* decide who is best of those that may be */
    const struct objective *objective; /* what to minimise; NULL: time */
    const int *ordinals;               /* of identical devices that share the work; the problem's is the first */
    size_t ordinal_count;              /* 0: device 0 alone */
    /* Told what the user should know although the work goes on; may be NULL. */
    void (*notice)(const char *text, void *context);
    void *notice_context;
    bool no_cache;                            /* compile all anew */
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

/* What the database calls this problem; the strings belong to the problem and what it was made of. */
bool sweep_identity(const struct problem *problem, struct store_problem *identity, struct error *error);

/*
 * Sweep until the strategy has no more questions, the budget is spent, or the caller is interrupted; that nothing
 * valid was found is no failure (progress.best_ns is 0). The budget counts evaluations made, not those the database
 * had. False: an expression of the template cannot be evaluated, its reference fails, its sources are changed
 * meanwhile, the compiler cannot be run, the device is lost or cannot tell the energy that the objective needs, or
 * the database cannot be written; what was stored stays, and `summary` is filled in all the same.
 */
bool sweep_run(const struct problem *problem, struct store *store, const struct sweep_options *options,
               sweep_observer *observe, void *context, struct sweep_summary *summary, struct error *error);

/* Evaluate one configuration outside a sweep (`tune run`): compile unless `image` is given. `*image` and `*bytes`
 * come back filled with what was compiled; the caller frees. */
bool sweep_single(const struct problem *problem, size_t index, const struct sweep_options *options, void **image,
                  size_t *image_bytes, struct evaluation *evaluation, struct error *error);

/* Describe a device in a child process (the parent never opens one). */
bool sweep_describe(const char *kind, int ordinal, struct device_description *description, struct error *error);

struct found_device {
    int ordinal;
    bool works; /* else `why` says why it cannot be described */
    struct device_description description;
    struct error why;
};
/* All devices of a kind, in one child process; allocated. None is no failure. */
bool sweep_describe_all(const char *kind, struct found_device **devices, size_t *count, struct error *error);

/* How many devices of a kind there are; `why` (may be NULL) tells why there are none. */
bool sweep_count(const char *kind, int *count, struct error *why);

/* The body of a worker process; main() calls it when started as a worker, with the socket to the parent. Returns the
 * exit status. */
int worker_main(const char *role, int socket);

/* The same for a role that is not the engine's: set the process up as a worker and let `serve` answer. */
struct channel;
int worker_serve(int socket, bool (*serve)(struct channel *channel, struct error *error));

#endif
