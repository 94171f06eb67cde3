/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simulated_space.h - a recording made ready for replays: what each configuration costs, its place among the valid
 * ones, and how far random search is expected to get by when.
 *
 * After F.-J. Willemsen et al., "A methodology for comparing optimization algorithms for auto-tuning", Future
 * Generation Computer Systems 159 (2024), and their program autotuning_methodology:
 *
 * - An evaluation costs the seconds that compiling, validating and measuring took when it was recorded, whether it
 *   failed or not. What a strategy takes to think is not counted.
 * - Places are ranks of the objective among the valid configurations, 0 the best; equal ones get places in the order
 *   of the recording. A place that is not whole (a mean of places) has the objective between its neighbours'.
 * - S(t), what random search is expected to have found by time t, is the objective at its expected place
 * (baseline.h).
 * - Strategies are compared at SCORE_TIMES times, equidistant from the one at which random search is expected to be
 *   1 % of the way from the median of the valid configurations to the optimum to that at which it is 95 % of the way;
 *   by time t it is taken to have made t / m evaluations of mean cost m, times those that are under way at once.
 */
#ifndef TUNE_SIMULATE_SIMULATED_SPACE_H
#define TUNE_SIMULATE_SIMULATED_SPACE_H

#include "tuner/formats/recording.h"

enum { SCORE_TIMES = 1000 };

struct simulated_space {
    const struct recording *recording;
    struct search_space *space; /* configuration i is the recording's */
    size_t count, valid;
    unsigned parallel;  /* evaluations under way at once */
    double *costs;      /* seconds, of each configuration */
    uint32_t *places;   /* of each configuration; of one that failed, `valid` */
    double *objectives; /* of the valid ones, nanoseconds, by place */
    double mean_cost;
    double median;
    double begin, end;            /* seconds */
    double draws;                 /* of random search until `end` */
    double baseline[SCORE_TIMES]; /* S(t), nanoseconds */
};

/* The recording must outlive the space. Errors: fewer than two valid configurations, all of them equally good, no
 * costs recorded, out of memory. */
bool simulated_space_create(const struct recording *recording, unsigned parallel, struct simulated_space **result,
                            struct error *error);
void simulated_space_free(struct simulated_space *space);

/* The time with this index, 0 to SCORE_TIMES - 1, in seconds. */
double simulated_space_time(const struct simulated_space *space, size_t index);

/* The objective at a place, 0 to valid - 1. */
double simulated_space_objective(const struct simulated_space *space, double place);

#endif
