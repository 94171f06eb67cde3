/* SPDX-License-Identifier: Apache-2.0 */
/*
 * improvement.h - how much better than the best a guess is expected to be.
 */
#ifndef TUNE_SEARCH_IMPROVEMENT_H
#define TUNE_SEARCH_IMPROVEMENT_H

/*
 * The logarithm of E[max(0, best - x)] for a normally distributed x: the expected improvement of D. R. Jones,
 * M. Schonlau, W. J. Welch (1998). Where it is too small for a number its logarithm still tells which of two is
 * greater (S. Ament et al., "Unexpected improvements to expected improvement", 2023). `deviation` is above 0.
 */
double log_expected_improvement(double best, double mean, double deviation);

#endif
