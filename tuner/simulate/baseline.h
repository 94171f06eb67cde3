/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline.h - what random search is expected to find: after some evaluations, exactly; by some time, from many
 * random searches.
 *
 * Of `configurations` in random order without repetition, `valid` have places 0 (the best) to valid - 1. After k of
 * them the best place so far is expected to be
 *     E(k) = (M - k) / (k + 1) - C(M - N + 1, k + 1) / C(M, k),        M configurations, N of them valid,
 * where the place counts as N - 1, the worst, as long as nothing valid was found: P(place > r) is
 * C(M - r - 1, k) / C(M, k), summed over r = 0 .. N - 2. If all are valid this is the mean of the smallest of k ranks
 * of E. Red'ko, White et al. that F.-J. Willemsen et al. use: "A methodology for comparing optimization algorithms
 * for auto-tuning", Future Generation Computer Systems 159 (2024). They count draws of the valid configurations alone
 * and round places; here draws fail as often as the recording does, and nothing is rounded.
 *
 * Willemsen et al. take E(t / m) for what is found by time t, with the mean cost m of an evaluation. That tells well
 * when random search gets how far, but it is not what it is expected to have found: slow configurations take longer
 * to be evaluated, the last evaluation of a search has not ended, and where few are made that matters (with 8 until
 * the end, random search scored -0.18 by it). So random searches are carried out, enough of them to count as
 * exact beside the repeats of a strategy.
 */
#ifndef TUNE_SIMULATE_BASELINE_H
#define TUNE_SIMULATE_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The expected best place after `draws`, a real number from 0 to `configurations`; falls from valid - 1 to 0. */
double baseline_place(size_t configurations, size_t valid, double draws);

/* What random searches go through. */
struct random_searches {
    const double *costs;    /* seconds, of each configuration */
    const uint32_t *places; /* of each configuration; of one that failed, `valid` */
    size_t count, valid;
    unsigned parallel; /* evaluations under way at once, at least 1 */
    double begin, end; /* seconds: the times asked for are equidistant from one to the other */
    size_t time_count; /* at least 2 */
    double draws;      /* expected until the end, about: the fewer, the more searches */
};

/* The mean best place at each of the times. False when out of memory. The same every time. */
bool baseline_places(const struct random_searches *searches, double *places);

#endif
