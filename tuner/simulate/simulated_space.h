/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simulated_space.h - a recording prepared for replays: what each configuration costs, its rank among the valid ones,
 * and the baseline, what random search is expected to find by when.
 *
 * After F.-J. Willemsen et al., "A methodology for comparing optimization algorithms for auto-tuning", Future
 * Generation Computer Systems 159 (2024), and their program autotuning_methodology:
 *
 * - An evaluation costs the seconds that compiling, validating and measuring took when it was recorded, whether or
 *   not it failed: on the machine (machine.h), where configurations are compiled while others are measured, those of
 *   compiling apart from those of the rest. All formats of recordings have compile times; where a file lacks them,
 *   compiling takes none. What did not compile is not measured. The strategy's own computing time is not counted.
 * - A search begins with the space's default, as a sweep does, where the recording knows it. The recorded sweep did
 * so, too, and no search pays for what it did once: the default compiled what others then found in the cache of
 * images, and the first evaluation recorded waited for the reference. So compiling the one, and the rest of the
 * other, cost no more than of half of the configurations.
 * - Configurations are ranked by objective among the valid ones, 0 the best; ties keep the order of the recording. A
 *   fractional rank (a mean of ranks) has the objective interpolated between its neighbours. A configuration that the
 *   objective says nothing of counts as one that failed.
 * - S(t), what random search is expected to find by time t, is the objective at its expected rank (baseline.h).
 * - Strategies are compared at SCORE_TIMES equidistant times. The first is when random search is expected to have
 * come 1 % of the way from the median of the valid configurations to the optimum, the last when it has come 95 % of
 * the way; for these two, it makes t / p evaluations by time t, with p the pace of the machine in the long run.
 */
#ifndef TUNE_SIMULATE_SIMULATED_SPACE_H
#define TUNE_SIMULATE_SIMULATED_SPACE_H

#include "tuner/simulate/machine.h"
#include "tuner/simulate/recorded_values.h"

enum { SCORE_TIMES = 1000 };

struct simulated_space {
    const struct recording *recording;
    struct search_space *space; /* numbered like the recording */
    size_t count, valid;
    struct recorded_values values;             /* by configuration */
    struct machine_plan machine;               /* that evaluates */
    double *compile_seconds, *measure_seconds; /* per configuration, as in struct machine_times */
    uint32_t *ranks;                           /* per configuration; `valid` for one that failed */
    double *objectives;                        /* their values by rank, the best first */
    double pace;                               /* seconds from one evaluation to the next, on average */
    double median;
    double begin, end;            /* seconds */
    double draws;                 /* that random search makes by `end` */
    double baseline[SCORE_TIMES]; /* S(t), in the unit of the objective */
    size_t *priors;               /* with which searches begin: the default, the best of other recordings */
    size_t prior_count;
};

/* Of a recording, which must outlive the space, by an objective (NULL: the recording's own), with so many compile
 * workers (0: one evaluation at a time). It takes turns where the recorded device did. Errors: those of
 * recorded_values_read, fewer than two valid configurations, half of them or more equal to the best, no costs
 * recorded, out of memory. */
bool simulated_space_create(const struct recording *recording, const char *objective, unsigned compilers,
                            struct simulated_space **result, struct error *error);

/* Let searches begin also with the best `most` of another recording, by the same objective. `*added` is false if it
 * has no valid result of a configuration of the space. Errors: those of known_recording_best. */
bool simulated_space_know(struct simulated_space *space, const struct recording *recording, size_t most, bool *added,
                          struct error *error);
void simulated_space_free(struct simulated_space *space);

/* The time with this index, 0 to SCORE_TIMES - 1, in seconds. */
double simulated_space_time(const struct simulated_space *space, size_t index);

/* What strategies are told of a rank: the value, or its reciprocal if that is to be large. */
double simulated_space_cost(const struct simulated_space *space, uint32_t rank);

/* The objective at a rank from 0 to valid - 1. */
double simulated_space_objective(const struct simulated_space *space, double rank);

#endif
