/* SPDX-License-Identifier: Apache-2.0 */
/*
 * improvement.h - expected improvement, the acquisition function of Bayesian optimisation.
 */
#ifndef TUNE_SEARCH_IMPROVEMENT_H
#define TUNE_SEARCH_IMPROVEMENT_H

/*
 * The logarithm of E[max(0, best - x)] for x normally distributed (D. R. Jones, M. Schonlau, W. J. Welch, 1998).
 * Where the expected improvement itself would underflow, its logarithm still ranks proposals (S. Ament et al.,
 * "Unexpected improvements to expected improvement", NeurIPS 2023). `deviation` is positive.
 */
double log_expected_improvement(double best, double mean, double deviation);

#endif
