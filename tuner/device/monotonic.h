/* SPDX-License-Identifier: Apache-2.0 */
/*
 * monotonic.h - the host's clock for durations, deadlines and budgets: it never jumps.
 */
#ifndef TUNE_DEVICE_MONOTONIC_H
#define TUNE_DEVICE_MONOTONIC_H

#include <time.h>

static inline double monotonic_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
