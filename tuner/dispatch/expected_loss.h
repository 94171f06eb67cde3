/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expected_loss.h - what a configuration is expected to lose at a size where it was not measured, by what it loses at
 * others.
 *
 * A loss is the logarithm of a cost over the least that is known at that size: costs of different sizes are
 * comparable in no other way. Losses elsewhere are averaged with weights that fall off with the distance: the
 * estimate of E. Nadaraya ("On estimating regression", Theory of Probability and its Applications 9, 1964) and G.
 * Watson. Some weight goes to a loss of half as much again, so that little and distant knowledge counts for little.
 */
#ifndef TUNE_DISPATCH_EXPECTED_LOSS_H
#define TUNE_DISPATCH_EXPECTED_LOSS_H

#include <math.h>

struct expected_loss {
    double sum, weights;
};

/* Of one of which nothing is known. */
static inline struct expected_loss expected_loss_unknown(void)
{
    static const double prior_weight = 0.2, prior_loss = 0.4054651081081644; /* log(1.5) */
    return (struct expected_loss){prior_weight * prior_loss, prior_weight};
}

/* How much a loss counts that many octaves away; 1 at the size itself. */
static inline double expected_loss_weight(double octaves)
{
    static const double scale = 1.3; /* at which it is 1/e */
    return exp(-octaves / scale);
}

static inline void expected_loss_add(struct expected_loss *expected, double weight, double loss)
{
    expected->sum += weight * loss;
    expected->weights += weight;
}

static inline double expected_loss_mean(const struct expected_loss *expected)
{
    return expected->sum / expected->weights;
}

#endif
