/* SPDX-License-Identifier: Apache-2.0 */
/*
 * no_device.h - what benchmarks of the engine's own cost share, in which nothing is measured.
 */
#ifndef TUNE_TESTS_BENCH_NO_DEVICE_H
#define TUNE_TESTS_BENCH_NO_DEVICE_H

#include "tuner/evaluation/evaluation.h"

#include <sys/time.h>

enum { NO_DEVICE_SAMPLES = 30 };

/* What a valid configuration would have, of the size of a usual one. */
static inline struct evaluation no_device_evaluation(double samples[NO_DEVICE_SAMPLES])
{
    static char message[] = "";
    for (size_t i = 0; i < NO_DEVICE_SAMPLES; i++)
        samples[i] = 123456.789 + (double)i;
    return (struct evaluation){.message = message,
                               .time_ns = 123456.789,
                               .samples_ns = samples,
                               .sample_count = NO_DEVICE_SAMPLES,
                               .error_ratio = 0.5};
}

static inline double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

#endif
