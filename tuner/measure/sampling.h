/*
 * sampling.h - how many samples a timing needs, and the statistic that is kept of them.
 *
 * The statistic is the median with a distribution-free confidence interval from the order statistics (Conover,
 * "Practical Nonparametric Statistics", 3.2; the binomial tails are exact). The rule is deterministic: the same
 * samples lead to the same decision.
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
    size_t least, most;    /* samples */
    double relative_width; /* enough once (high - low) / value is below this */
    double hopeless;       /* enough once the fastest sample is slower than hopeless * incumbent */
    double seconds;        /* enough once this much time was measured (and `least` samples taken) */
};
extern const struct sampling_rule sampling_default;

bool sampling_enough(const struct sampling_rule *rule, const double *samples_ns, size_t count, double incumbent_ns);

#endif
