/* SPDX-License-Identifier: Apache-2.0 */
/*
 * no_device.h - what benchmarks of the engine's own cost share, in which nothing is measured.
 */
#ifndef TUNE_TESTS_BENCH_NO_DEVICE_H
#define TUNE_TESTS_BENCH_NO_DEVICE_H

#include "tuner/evaluation/evaluation.h"

#include <jansson.h>
#include <sys/time.h>

/* What a valid configuration would have, of the size of a usual one, as JSON. */
static inline json_t *no_device_evaluation(void)
{
    enum { SAMPLES = 30 };
    double samples[SAMPLES];
    char message[] = "";
    for (size_t i = 0; i < SAMPLES; i++)
        samples[i] = 123456.789 + (double)i;
    const struct evaluation evaluation = {.message = message,
                                          .time_ns = 123456.789,
                                          .samples_ns = samples,
                                          .sample_count = SAMPLES,
                                          .error_ratio = 0.5};
    return evaluation_to_json(&evaluation);
}

static inline double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

#endif
