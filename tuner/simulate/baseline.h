/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline.h - what random search is expected to find: exactly, after a number of evaluations; by Monte Carlo
 * simulation, after a period of time.
 *
 * Of M configurations, N are valid and have ranks 0 (the best) to N - 1. After k of them, drawn without replacement,
 * the expected best rank so far is E(k) = (M - k) / (k + 1) - C(M - N + 1, k + 1) / C(M, k), where the rank counts as
 * N - 1, the worst, until something valid is found: P(rank > r) = C(M - r - 1, k) / C(M, k), summed over r = 0 .. N
 * - 2. If all are valid, this is the expected smallest of k ranks used by F.-J. Willemsen et al., "A methodology for
 * comparing optimization algorithms for auto-tuning", Future Generation Computer Systems 159 (2024). They draw valid
 * configurations only and round ranks; here draws fail as often as in the recording, and nothing is rounded.
 *
 * For time t Willemsen et al. take E(t / m), with m the mean cost of an evaluation. That locates the time window well
 * but is biased as an expectation: slow configurations take longer to evaluate, and the last evaluation has not
 * ended. With few evaluations it matters: with 8 in the window, random search scored -0.18. So the baseline is the
 * mean of enough simulated random searches to count as exact next to a strategy's repeats.
 */
#ifndef TUNE_SIMULATE_BASELINE_H
#define TUNE_SIMULATE_BASELINE_H

#include "tuner/simulate/machine.h"

#include <stdint.h>

/* E(draws), for a real number from 0 to `configurations`; falls from valid - 1 to 0. */
double baseline_rank(size_t configurations, size_t valid, double draws);

/* The random searches to simulate. */
struct random_searches {
    struct machine_plan machine;
    struct machine_times times;
    const uint32_t *ranks; /* per configuration; `valid` for one that failed */
    size_t count, valid;
    double begin, end; /* seconds; the times are equidistant from one to the other */
    size_t time_count; /* at least 2 */
    double draws;      /* about how many a search makes by the end: the fewer, the more searches */
};

/* The mean best rank at each of the times; deterministic. False when out of memory. */
bool baseline_ranks(const struct random_searches *searches, double *ranks);

#endif
