/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary.h - the outcome of a sweep: the best five configurations, what failed and why.
 *
 * First comes the winner, then those that were in the finals with it, then the others, each group by value. A time is
 * the one that decided: of a finalist the median of its rounds, else that of its one measurement. The two were taken
 * at different times, so a row may show a smaller time than a row above it: then it bears a mark and a footnote
 * says why.
 */
#ifndef TUNE_CLI_SUMMARY_H
#define TUNE_CLI_SUMMARY_H

#include "tuner/cli/failure_advice.h"
#include "tuner/cli/terminal.h"
#include "tuner/engine/sweep.h"

enum { SUMMARY_BEST = 5 };

/* Where a row stands with regard to the finals. */
enum summary_rank {
    RANK_WINNER, /* the best row that no finals have beaten */
    RANK_TIED,   /* with the winner, which uses fewer resources */
    RANK_LOST,   /* in the finals */
    RANK_SINGLE, /* measured once */
};

struct summary_row {
    int64_t id; /* of the evaluation */
    char *configuration;
    enum summary_rank rank;
    bool was_final;                  /* its figures are those of finals */
    char *metrics;                   /* values of the template's metrics: JSON; "": none */
    double value;                    /* the cost by the objective */
    double energy_j, energy_error_j; /* per run; 0: not measured */
    double device_ns;                /* without the host's latency; 0: there is none */
    double time_ns, low_ns, high_ns, occupancy;
    struct work work;
    int64_t registers, shared_bytes, spill_bytes;
};

/* A failed configuration, to stand for others of its kind; NULL: none. */
struct summary_example {
    char *configuration, *message, *awkward;
};

struct result_summary {
    const struct objective *objective;
    const struct template *template;
    struct ceilings ceilings; /* of the device */
    struct json_t *fronts; /* by several objectives: their front in an array (front.h), which has none if nothing is
                            * valid; NULL: by one */
    struct summary_row best[SUMMARY_BEST];
    size_t best_count;
    size_t failed[OUTCOME_COUNT];
    struct summary_example example[OUTCOME_COUNT];
    const char *folder;                /* the template's */
    const struct failure_check *check; /* to say how failures can be explained; NULL: do not; the caller's */
};

/* Gather from the database what it knows of the problem's configurations. Clear it, also after a failure. */
bool summary_gather(const struct problem *problem, const struct objective *objective, struct store *store,
                    struct result_summary *summary, struct error *error);

/* The same, and the front by several objectives, the first of which is that one. */
bool summary_gather_front(const struct problem *problem, const struct aims *aims, const struct objective *objective,
                          struct store *store, struct result_summary *summary, struct error *error);

/* Tables of the best and of the failures, then the winner with what the finals said of it; by several objectives the
 * front, and how much it dominates. */
bool summary_print(const struct result_summary *summary, const struct sweep_finals *finals,
                   const struct terminal *out, struct error *error);

/* {"best": [...], "failed": {...}}; new reference, NULL when out of memory. */
struct json_t *summary_json(const struct result_summary *summary);

void summary_clear(struct result_summary *summary);

#endif
