/* SPDX-License-Identifier: Apache-2.0 */
/* The median's interval against the exact binomial sums (rational arithmetic), and when samples are enough. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/sampling.h"

#include <math.h>

enum { MOST = 2000 };

static void intervals_are_the_published_ones(void **state)
{
    (void)state;
    static const struct {
        size_t count, low, high;
        double confidence;
    } table[] = {
        {1, 1, 1, 0},
        {2, 1, 2, 0.5},
        {5, 1, 5, 0.9375},
        {6, 1, 6, 0.96875},
        {8, 1, 8, 0.9921875},
        {9, 2, 8, 0.9609375},
        {10, 2, 9, 0.978515625},
        {15, 4, 12, 0.96484375},
        {20, 6, 15, 0.9586105346679688},
        {25, 8, 18, 0.9567147493362427},
        {30, 10, 21, 0.9572260547429323},
        {50, 18, 33, 0.9671608624357315},
        {100, 40, 61, 0.9647997997822952},
        {1000, 469, 532, 0.9537088026395019},
    };
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        size_t count = table[t].count;
        static double samples[MOST];
        for (size_t i = 0; i < count; i++) /* ranks 1..count, out of order */
            samples[i] = (double)(i * 7 % count + 1);
        if (count % 7 == 0)
            fail_msg("the shuffle needs a count that 7 does not divide");
        struct median median = median_of(samples, count);
        assert_true(median.low == (double)table[t].low);
        assert_true(median.high == (double)table[t].high);
        assert_true(median.value == (double)(count + 1) / 2);
        assert_true(fabs(median.confidence - table[t].confidence) < 1e-12);
    }
}

static void samples_may_be_equal_negative_or_huge(void **state)
{
    (void)state;
    double samples[] = {-1e300, 4, 4, 4, -0.5, 1e300, INFINITY};
    struct median median = median_of(samples, 7);
    assert_true(median.value == 4);
    assert_true(median.low == -1e300 && isinf(median.high));
    assert_true(samples[0] == -1e300 && samples[4] == -0.5);
}

static void many_samples_do_not_underflow(void **state)
{
    (void)state;
    static double samples[20001];
    for (size_t i = 0; i < 20001; i++)
        samples[i] = (double)i + 1;
    struct median median = median_of(samples, 20001);
    assert_true(median.value == 10001);
    /* normal approximation: 10000.5 -+ 1.96 * sqrt(20001) / 2 = 138.6 */
    assert_true(fabs(median.low - (10001 - 138.6)) < 2);
    assert_true(fabs(median.high - (10001 + 138.6)) < 2);
    assert_true(median.confidence >= 0.95 && median.confidence < 0.951);
}

/* After how many samples from a repeating list is it enough? */
static size_t needed_after(const struct sampling_rule *rule, const double *samples, size_t count, double incumbent,
                           double first_launch)
{
    static double taken[MOST];
    const struct sampling_prior prior = {incumbent, first_launch};
    for (size_t n = 0; n < MOST; n++) {
        if (sampling_enough(rule, taken, n, &prior))
            return n;
        taken[n] = samples[n % count];
    }
    return MOST;
}

static size_t needed(const struct sampling_rule *rule, const double *samples, size_t count, double incumbent)
{
    return needed_after(rule, samples, count, incumbent, 0);
}

static const struct sampling_rule rule = {
    .least = 5, .most = 40, .relative_width = 0.01, .leading_width = 0.05, .margin = 0.25, .seconds = 0.5};

static void steady_samples_need_the_least(void **state)
{
    (void)state;
    const double steady[] = {1e6, 1.001e6};
    assert_int_equal(needed(&rule, steady, 2, 0), 5);
}

static void short_times_need_more(void **state)
{
    (void)state;
    const double steady[] = {5000};
    assert_int_equal(needed(&rule, steady, 1, 0), 15);
}

static void noisy_samples_need_the_most(void **state)
{
    (void)state;
    const double noisy[] = {1e6, 1.2e6};
    assert_int_equal(needed(&rule, noisy, 2, 0), 40);
}

static void one_outlier_costs_a_few_more(void **state)
{
    (void)state;
    /* The range is wide while there is no smaller interval: with 9 samples ranks 2 and 8 leave one outlier out. */
    const double samples[] = {1e6, 1e6, 9e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6, 1e6};
    assert_int_equal(needed(&rule, samples, 12, 0), 9);
}

static void long_times_end_with_the_budget(void **state)
{
    (void)state;
    const double slow[] = {60e6, 70e6}; /* 5: 0.32 s; 8: 0.52 s */
    assert_int_equal(needed(&rule, slow, 2, 0), 8);
    const double slower[] = {1e9, 2e9};
    assert_int_equal(needed(&rule, slower, 2, 0), 5);
}

/* From the thresholds 1.25, 1.125, 1.0625, 1.03125, 1.015625 of the fastest. */
static void hopeless_candidates_get_few(void **state)
{
    (void)state;
    static const struct {
        double fastest;
        size_t samples;
    } table[] = {{1.26e6, 1}, {1.24e6, 2}, {1.13e6, 2}, {1.12e6, 3}, {1.06e6, 4}, {1.03e6, 5}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        /* Other samples are slower, and wide apart. */
        double samples[] = {table[i].fastest, 2e6, 3e6, 2e6};
        assert_int_equal(needed(&rule, samples, 4, 1e6), table[i].samples);
        assert_true(needed(&rule, samples, 4, 0) > 5);
    }
    const double once_slow[] = {1.24e6, 1.01e6, 0.9e6, 1.2e6};
    assert_true(needed(&rule, once_slow, 4, 1e6) > 5);
}

static void first_launch_stands_beside_the_only_sample(void **state)
{
    (void)state;
    const double slow[] = {1.2e6};
    assert_int_equal(needed_after(&rule, slow, 1, 1e6, 3e6), 1);
    assert_int_equal(needed_after(&rule, slow, 1, 1e6, 1.13e6), 1);
    assert_int_equal(needed_after(&rule, slow, 1, 1e6, 1.12e6), 2); /* the faster of both decides */
    const double disturbed[] = {3e6, 1e6};
    assert_true(needed_after(&rule, disturbed, 2, 1e6, 1.1e6) >= 5); /* and it was not the kernel */
    const double fast[] = {1.1e6};
    assert_int_equal(needed_after(&rule, fast, 1, 1e6, 9e6), 3); /* as without it */
    const double contender[] = {0.99e6, 1.02e6};
    assert_true(needed_after(&rule, contender, 2, 1e6, 9e6) >= 5); /* it alone gives nothing up */
}

/* Six samples are the fewest whose range is a 95 % interval; the fastest is within 1 % of the incumbent. */
static void interval_above_the_incumbent_is_enough(void **state)
{
    (void)state;
    const double noisy[] = {1.005e6, 1.2e6};
    assert_int_equal(needed(&rule, noisy, 2, 1e6), 6);
    assert_int_equal(needed(&rule, noisy, 2, 1.006e6), 40);
    const double short_and_noisy[] = {5025, 6000};
    assert_int_equal(needed(&rule, short_and_noisy, 2, 5000), 6);
}

/* 4 % wide; the same samples without an incumbent, or with one that they do not beat, are not enough. */
static void interval_below_the_incumbent_is_enough(void **state)
{
    (void)state;
    const double noisy[] = {1e6, 1.04e6};
    assert_int_equal(needed(&rule, noisy, 2, 1.05e6), 6);
    assert_int_equal(needed(&rule, noisy, 2, 1.03e6), 40);
    assert_int_equal(needed(&rule, noisy, 2, 0), 40);
    const double noisier[] = {1e6, 1.06e6};
    assert_int_equal(needed(&rule, noisier, 2, 1.2e6), 40);
}

static void only_samples_and_incumbent_decide(void **state)
{
    (void)state;
    static double samples[MOST];
    for (size_t i = 0; i < 40; i++)
        samples[i] = 1e6 + (double)(i * i * 7919 % 50000);
    size_t once = needed(&rule, samples, 40, 1.02e6);
    for (int i = 0; i < 3; i++)
        assert_int_equal(needed(&rule, samples, 40, 1.02e6), once);
}

/* Up to 64 samples are sorted, more are selected from: both give the middle one. */
static void few_and_many_have_the_same_median(void **state)
{
    (void)state;
    static double samples[MOST];
    for (size_t count = 60; count < 70; count++) {
        for (size_t i = 0; i < count; i++)
            samples[i] = (double)(i * 71 % count + 1); /* 71 is prime and above: a permutation */
        assert_true(median_of(samples, count).value == (double)(count + 1) / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_the_published_ones),
        cmocka_unit_test(samples_may_be_equal_negative_or_huge),
        cmocka_unit_test(many_samples_do_not_underflow),
        cmocka_unit_test(steady_samples_need_the_least),
        cmocka_unit_test(short_times_need_more),
        cmocka_unit_test(noisy_samples_need_the_most),
        cmocka_unit_test(one_outlier_costs_a_few_more),
        cmocka_unit_test(long_times_end_with_the_budget),
        cmocka_unit_test(hopeless_candidates_get_few),
        cmocka_unit_test(first_launch_stands_beside_the_only_sample),
        cmocka_unit_test(interval_above_the_incumbent_is_enough),
        cmocka_unit_test(interval_below_the_incumbent_is_enough),
        cmocka_unit_test(only_samples_and_incumbent_decide),
        cmocka_unit_test(few_and_many_have_the_same_median),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
