/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampling.h - how many samples a timing needs, and the statistic computed from them.
 *
 * The statistic is the median with a distribution-free confidence interval from order statistics (Conover, "Practical
 * Nonparametric Statistics", 3.2; the binomial tails are exact).
 *
 * The rule spends samples where they decide. It depends only on the samples and on the incumbent, the best time so
 * far: the same samples lead to the same decision.
 *   - Hopeless: noise only ever adds to a time, so the fastest sample is the one to judge by, and each further sample
 *     makes it more certain. After n samples a candidate is dropped if the fastest one is above
 *     incumbent * (1 + margin / 2^(n-1)): with a margin of 1/4 at 1.25, 1.125, 1.0625, ... A slow candidate costs one
 *     or two samples. The very first launch, with cold caches, is not a sample; but if it was timed and there is only
 *     one sample, the faster of the two decides as two samples would, from 1.125 on, and a single disturbed sample
 *     drops nothing.
 *   - Not the best: enough once the whole interval is above the incumbent (a sign test: if the medians were equal, it
 *     would happen at most once in 40 times).
 *   - Clearly the best so far: enough once the whole interval is below the incumbent and narrower than
 * `leading_width` of the median. On a noisy device most of the time would go into these, and the size of their lead
 * does not matter: whatever comes close later is compared again.
 *   - Precise: enough once the interval is narrower than `relative_width` of the median.
 *   - Expensive: enough once `seconds` were measured or `most` samples taken.
 */
#ifndef TUNE_MEASURE_SAMPLING_H
#define TUNE_MEASURE_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>

struct median {
    double value;
    double low, high;  /* contains the true median with `confidence`; the range if there are too few samples */
    double confidence; /* 0..1 */
};

/* Median and 95 % interval of `count` >= 1 samples. */
struct median median_of(const double *samples, size_t count);

struct sampling_rule {
    size_t least, most;    /* samples, unless hopeless */
    double relative_width; /* enough once (high - low) / value is at most this */
    double leading_width;  /* the same, once `high` is below the incumbent */
    double margin;         /* a single sample is hopeless from incumbent * (1 + margin) on */
    double seconds;        /* enough once this much time was measured, in at least `least` samples */
};
extern const struct sampling_rule sampling_default;

/* What is known besides the samples; 0: unknown. */
struct sampling_prior {
    double incumbent_ns;
    double first_launch_ns;
};

bool sampling_hopeless(const struct sampling_rule *rule, const double *samples_ns, size_t count,
                       const struct sampling_prior *prior);
bool sampling_enough(const struct sampling_rule *rule, const double *samples_ns, size_t count,
                     const struct sampling_prior *prior);

#endif
