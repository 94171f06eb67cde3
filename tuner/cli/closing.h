/* SPDX-License-Identifier: Apache-2.0 */
/*
 * closing.h - what a sweep ends with: the best five configurations, what failed and why.
 */
#ifndef TUNE_CLI_CLOSING_H
#define TUNE_CLI_CLOSING_H

#include "tuner/engine/sweep.h"

enum { CLOSING_BEST = 5 };

struct closing_row {
    int64_t id; /* of the evaluation */
    char *configuration;
    bool tied;                       /* with the best, in finals */
    double value;                    /* the objective's */
    double energy_j, energy_error_j; /* of a run; 0: not measured */
    double time_ns, low_ns, high_ns, flops, bytes, peak_flops, peak_bandwidth, occupancy;
    int64_t registers, shared_bytes, spill_bytes;
};

struct closing {
    const struct problem *problem;
    const struct objective *objective;
    int64_t winner; /* the best evaluation of those that no finals have beaten; 0: none */
    double winner_value;
    struct closing_row best[CLOSING_BEST]; /* the winner, then by value */
    size_t best_count;
    size_t failed[OUTCOME_COUNT];
    char *example[OUTCOME_COUNT]; /* a message of each kind of failure; NULL: none */
};

/* Gather from the database what it knows of the problem's configurations. */
bool closing_gather(const struct problem *problem, const struct objective *objective, struct store *store,
                    struct closing *closing, struct error *error);
void closing_print(const struct closing *closing, FILE *stream);
struct json_t *closing_json(const struct closing *closing); /* new reference */
void closing_clear(struct closing *closing);

#endif
