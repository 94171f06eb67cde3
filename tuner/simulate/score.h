/* SPDX-License-Identifier: Apache-2.0 */
/*
 * score.h - the score P of a strategy on a recording, from repeated replays.
 *
 *     P(t) = (F(t) - S(t)) / (optimum - S(t)),        P is the mean of P(t) over the times of simulated_space.h
 *
 * 0 is as good as random search, 1 would be knowing the optimum from the start, below 0 is worse than random. F(t) is
 * the objective at the mean, over the repeats, of the best rank by time t: like Willemsen et al. we average ranks
 * rather than objectives, so that one very slow configuration does not dominate. Until a repeat finds anything valid
 * its rank is that of the worst valid configuration, in the baseline S(t) as well.
 *
 * The confidence interval is the percentile bootstrap's over repeats (B. Efron, R. Tibshirani, "An Introduction to
 * the Bootstrap", 1993): SCORE_RESAMPLES times, as many repeats are drawn with replacement and P is computed from
 * them; the interval holds the middle 95 % of these. Over several spaces P is the mean, and resample i of the mean is
 * the mean of the spaces' resamples i.
 */
#ifndef TUNE_SIMULATE_SCORE_H
#define TUNE_SIMULATE_SCORE_H

#include "tuner/simulate/replay.h"

enum { SCORE_RESAMPLES = 1000 };

/* Of searches that may stop by themselves: means over repeats, and over spaces. */
struct score_until {
    double stopped;     /* the share that stopped before all was evaluated */
    double right;       /* of all: those that stopped with the best within the share of the optimum */
    double saved;       /* share of the configurations that were not evaluated */
    double evaluations; /* when they ended */
};

/* Of searches of which was asked when they come near the optimum. Over spaces: means. */
enum { SCORE_EARLY = 15 };
struct score_within {
    double median, most; /* evaluations that it took: of half of the repeats at most so many, of nine in ten */
    double early;        /* share of the repeats that took SCORE_EARLY at most */
};

struct score {
    double p, low, high; /* 95 % confidence interval */
    double evaluations;  /* mean number per repeat */
    struct score_until until;
    struct score_within within;
    double curve[SCORE_TIMES]; /* P(t) */
    double resamples[SCORE_RESAMPLES];
};

/* Score the traces of `count` repeats, at least 1; `seed` is the bootstrap's. Fails only when out of memory. */
bool score_traces(const struct simulated_space *space, const struct replay_trace *traces, size_t count, uint64_t seed,
                  struct score *score, struct error *error);

/* The mean over spaces. */
void score_mean(const struct score *scores, size_t count, struct score *mean);

#endif
