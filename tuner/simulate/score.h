/* SPDX-License-Identifier: Apache-2.0 */
/*
 * score.h - score P of a strategy on a recording, from repeated replays.
 *
 *     P(t) = (F(t) - S(t)) / (optimum - S(t)),        P the mean of P(t) over the times of simulated_space.h
 *
 * 0 is as good as random search, 1 would be to know the optimum from the start; worse than random is below 0. F(t) is
 * the objective at the mean place of the best so far over the repeats at time t: places, not objectives, are
 * averaged, as Willemsen et al. do it, so that one very slow configuration does not outweigh all else. Before a
 * repeat has found anything valid its place is that of the worst valid configuration, and so it is in the baseline.
 *
 * The confidence interval is that of the percentile bootstrap over repeats (B. Efron, R. Tibshirani: An Introduction
 * to the Bootstrap, 1993): SCORE_RESAMPLES times as many repeats are drawn from the repeats, with replacement, and P
 * is computed of them; 95 % of these lie in it. Of several spaces P is the mean, and resample i of the mean is the
 * mean of the spaces' resamples i.
 */
#ifndef TUNE_SIMULATE_SCORE_H
#define TUNE_SIMULATE_SCORE_H

#include "tuner/simulate/replay.h"

enum { SCORE_RESAMPLES = 1000 };

struct score {
    double p, low, high;       /* 95 % confidence interval */
    double evaluations;        /* mean number until the end */
    double curve[SCORE_TIMES]; /* P(t) */
    double resamples[SCORE_RESAMPLES];
};

/* `traces` of `count` repeats, at least 1; `seed` is that of the bootstrap. */
bool score_traces(const struct simulated_space *space, const struct replay_trace *traces, size_t count, uint64_t seed,
                  struct score *score, struct error *error);

/* The mean over spaces. */
void score_mean(const struct score *scores, size_t count, struct score *mean);

#endif
