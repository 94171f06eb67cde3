/*
 * closing.h - what a sweep ends with: the best five configurations, what failed and why.
 */
#ifndef TUNE_CLI_CLOSING_H
#define TUNE_CLI_CLOSING_H

#include "tuner/engine/sweep.h"

enum { CLOSING_BEST = 5 };

struct closing_row {
    char *configuration;
    double time_ns, low_ns, high_ns, flops, bytes, peak_flops, peak_bandwidth, occupancy;
    int64_t registers, shared_bytes, spill_bytes;
};

struct closing {
    const struct problem *problem;
    struct closing_row best[CLOSING_BEST]; /* fastest first */
    size_t best_count;
    size_t failed[OUTCOME_COUNT];
    char *example[OUTCOME_COUNT]; /* a message of each kind of failure; NULL: none */
};

/* Gather from the database what it knows of the problem's configurations. */
bool closing_gather(const struct problem *problem, struct store *store, struct closing *closing, struct error *error);
void closing_print(const struct closing *closing, FILE *stream);
struct json_t *closing_json(const struct closing *closing); /* new reference */
void closing_clear(struct closing *closing);

#endif
