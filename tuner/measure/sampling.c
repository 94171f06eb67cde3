/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/sampling.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * Timers have a resolution: half a microsecond for a CUDA event. Below SHORT_NS a few equal readings say little about
 * the width of the distribution, so the minimum is SHORT_FACTOR times as many samples.
 */
#define SHORT_NS 20e3
enum { SHORT_FACTOR = 3 };

const struct sampling_rule sampling_default = {
    .least = 5,
    .most = 50,
    .relative_width = 0.01,
    .leading_width = 0.05,
    .margin = 0.25,
    .seconds = 0.5,
};

/* Maps doubles to unsigned integers, preserving their order. */
static uint64_t order_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double value_of(uint64_t order)
{
    uint64_t bits = order >> 63 ? order & ~(UINT64_C(1) << 63) : ~order;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The rank-th smallest sample, from 1, by bisection over all doubles: needs no copy. */
static double select_rank(const double *samples, size_t count, size_t rank)
{
    uint64_t low = 0, high = UINT64_MAX;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        size_t not_above = 0;
        for (size_t i = 0; i < count; i++)
            not_above += order_of(samples[i]) <= middle;
        if (not_above >= rank)
            high = middle;
        else
            low = middle + 1;
    }
    return value_of(low);
}

/* P(X = k) for X ~ Binomial(count, 1/2). */
static double binomial(size_t count, size_t k)
{
    double n = (double)count, x = (double)k;
    int sign;
    return exp(lgamma_r(n + 1, &sign) - lgamma_r(x + 1, &sign) - lgamma_r(n - x + 1, &sign) - n * log(2));
}

/*
 * The interval from the r-th smallest to the r-th largest sample misses the true median only if fewer than r samples
 * fall on one side of it: confidence 1 - 2 P(X < r). The largest r that keeps 95 % gives the narrowest interval. With
 * fewer than 6 samples even r = 1, the range, does not reach 95 %.
 */
static size_t interval_rank(size_t count, double *confidence)
{
    double tail = binomial(count, 0);
    size_t rank = 1;
    while (rank < count / 2) {
        double next = tail + binomial(count, rank);
        if (1 - 2 * next < 0.95)
            break;
        tail = next;
        rank++;
    }
    *confidence = count > 1 ? 1 - 2 * tail : 0;
    return rank;
}

/* Up to this many samples are sorted on the stack, which is faster than selecting four ranks: the rule is evaluated
 * after every sample, while the device is idle. */
enum { FEW = 64 };

static void sort_into(double *sorted, const double *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && order_of(sorted[at - 1]) > order_of(samples[i]); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = samples[i];
    }
}

struct median median_of(const double *samples, size_t count)
{
    struct median median;
    size_t rank = interval_rank(count, &median.confidence);
    const size_t ranks[] = {rank, count + 1 - rank, (count + 1) / 2, count / 2 + 1};
    double sorted[FEW], values[4];
    if (count <= FEW)
        sort_into(sorted, samples, count);
    for (size_t i = 0; i < 4; i++)
        values[i] = count <= FEW ? sorted[ranks[i] - 1] : select_rank(samples, count, ranks[i]);
    median.low = values[0];
    median.high = values[1];
    median.value = values[2] + (values[3] - values[2]) / 2;
    return median;
}

static double fastest_of(const double *samples, size_t count)
{
    double fastest = samples[0];
    for (size_t i = 1; i < count; i++)
        fastest = samples[i] < fastest ? samples[i] : fastest;
    return fastest;
}

bool sampling_hopeless(const struct sampling_rule *rule, const double *samples_ns, size_t count,
                       const struct sampling_prior *prior)
{
    if (count == 0 || !(prior->incumbent_ns > 0))
        return false;
    double fastest = fastest_of(samples_ns, count);
    int looks = (int)count;
    if (count == 1 && prior->first_launch_ns > 0) {
        fastest = fmin(fastest, prior->first_launch_ns);
        looks = 2;
    }
    return fastest / prior->incumbent_ns - 1 > ldexp(rule->margin, 1 - looks);
}

bool sampling_enough(const struct sampling_rule *rule, const double *samples_ns, size_t count,
                     const struct sampling_prior *prior)
{
    enum { FEWEST_WITH_INTERVAL = 6 }; /* of 95 % */
    if (count == 0)
        return false;
    if (count >= rule->most || sampling_hopeless(rule, samples_ns, count, prior))
        return true;
    if (count < rule->least)
        return false;
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += samples_ns[i];
    if (total >= rule->seconds * 1e9)
        return true;
    struct median median = median_of(samples_ns, count);
    double width = (median.high - median.low) / median.value;
    if (count >= FEWEST_WITH_INTERVAL && prior->incumbent_ns > 0) {
        if (median.low > prior->incumbent_ns)
            return true;
        if (median.high < prior->incumbent_ns && width <= rule->leading_width)
            return true;
    }
    if (median.value < SHORT_NS && count < SHORT_FACTOR * rule->least)
        return false;
    return width <= rule->relative_width;
}
