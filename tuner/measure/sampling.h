/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampling.h - how many samples a timing needs, and the statistic that is kept of them.
 *
 * The statistic is the median with a distribution-free confidence interval from the order statistics (Conover,
 * "Practical Nonparametric Statistics", 3.2; the binomial tails are exact).
 *
 * The rule spends samples where they decide. It looks at the samples and at the best time so far, the incumbent's,
 * and at nothing else: the same samples lead to the same decision.
 *   - Hopeless: whatever else goes on in a machine adds to a time and takes nothing away, so the fastest sample is
 * the one to judge by, and each further one makes it surer. After n samples a candidate is given up when the fastest
 *     is above incumbent * (1 + margin / 2^(n-1)): with a margin of 1/4 at 1.25, 1.125, 1.0625, ... A slow candidate
 *     costs one sample or two. The very first launch, which finds the caches as they are, is no sample, but where it
 *     was timed it stands beside the only one: the faster of both decides, as two samples do, from 1.125 on, and a
 *     single sample that was disturbed gives nothing up.
 *   - Not the best: enough when the interval as a whole lies above the incumbent (a sign test: were the medians
 * equal, it would happen once in 40 times at most).
 *   - Surely the best so far: enough when the interval as a whole lies below the incumbent and is narrower than
 *     `leading_width` of the median. On a noisy device most of the time would go into those, and by how much they
 * lead does not matter: whatever comes close to them later is compared again.
 *   - Known well: enough when the interval is narrower than `relative_width` of the median.
 *   - Dear: enough when `seconds` were measured, or `most` samples taken.
 */
#ifndef TUNE_MEASURE_SAMPLING_H
#define TUNE_MEASURE_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>

struct median {
    double value;
    double low, high;  /* interval that holds the true median with at least `confidence`, or the range if too few */
    double confidence; /* reached, 0..1 */
};

/* Median and 95 % interval of `count` >= 1 samples; does not change them. */
struct median median_of(const double *samples, size_t count);

struct sampling_rule {
    size_t least, most;    /* samples of a candidate that is not hopeless */
    double relative_width; /* enough once (high - low) / value is not above this */
    double leading_width;  /* the same, once `high` is below the incumbent */
    double margin;         /* by how much the only sample of a hopeless candidate is above the incumbent */
    double seconds;        /* enough once this much time was measured (and `least` samples taken) */
};
extern const struct sampling_rule sampling_default;

/* What is known of a candidate besides its samples; 0: not known. */
struct sampling_prior {
    double incumbent_ns;
    double first_launch_ns;
};

bool sampling_hopeless(const struct sampling_rule *rule, const double *samples_ns, size_t count,
                       const struct sampling_prior *prior);
bool sampling_enough(const struct sampling_rule *rule, const double *samples_ns, size_t count,
                     const struct sampling_prior *prior);

#endif
