/* SPDX-License-Identifier: Apache-2.0 */
/*
 * portfolio.h - the few configurations that together lose least over many sizes.
 *
 * At each size a portfolio loses what its best member loses there; its loss is the weighted mean over the sizes. The
 * members are the medians of a k-median problem whose facilities are configurations and whose clients are sizes. It
 * is solved as PAM does (L. Kaufman, P. J. Rousseeuw, "Finding Groups in Data", 1990): greedily, each time adding the
 * configuration that gains most, and then by exchanging members while that gains anything. The greedy half alone is
 * within 1 - 1/e of the best gain, for the gain is submodular (G. Nemhauser, L. Wolsey, M. Fisher, Mathematical
 * Programming 14, 1978); it is how Hydra builds portfolios of solvers (L. Xu, H. Hoos, K. Leyton-Brown, AAAI 2010).
 */
#ifndef TUNE_DISPATCH_PORTFOLIO_H
#define TUNE_DISPATCH_PORTFOLIO_H

#include "tuner/error/error.h"

/* What each configuration loses at each size: finite, the logarithm of its cost over the least, say. */
struct portfolio_table {
    size_t configurations, sizes;
    const double *loss;    /* loss[configuration * sizes + size] */
    const double *weights; /* of the sizes */
};

/* At most `most` different configurations, the one that gains most first; fewer once another gains nothing. An error
 * only when out of memory. */
bool portfolio_choose(const struct portfolio_table *table, size_t most, size_t *chosen, size_t *count,
                      struct error *error);

/* Exchange members for others while the portfolio loses less for it. */
bool portfolio_exchange(const struct portfolio_table *table, size_t *chosen, size_t count, struct error *error);

/* The weighted mean of what the portfolio loses. */
double portfolio_loss(const struct portfolio_table *table, const size_t *chosen, size_t count);

#endif
