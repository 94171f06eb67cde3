/*
 * baseline.h - what random search is expected to find, exactly.
 *
 * Of `configurations` in random order without repetition, `valid` have places 0 (the best) to valid - 1. After k of
 * them the best place so far is expected to be
 *     E(k) = (M - k) / (k + 1) - C(M - N + 1, k + 1) / C(M, k),        M configurations, N of them valid,
 * where the place counts as N - 1, the worst, as long as nothing valid was found: P(place > r) is
 * C(M - r - 1, k) / C(M, k), summed over r = 0 .. N - 2. If all are valid this is the mean of the smallest of k ranks
 * of E. Red'ko, White et al. that F.-J. Willemsen et al. use: "A methodology for comparing optimization algorithms
 * for auto-tuning", Future Generation Computer Systems 159 (2024). They count draws of the valid configurations alone
 * and round places; here draws fail as often as the recording does, and nothing is rounded.
 */
#ifndef TUNE_SIMULATE_BASELINE_H
#define TUNE_SIMULATE_BASELINE_H

#include <stddef.h>

/* The expected best place after `draws`, a real number from 0 to `configurations`; falls from valid - 1 to 0. */
double baseline_place(size_t configurations, size_t valid, double draws);

#endif
