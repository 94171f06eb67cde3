/*
 * monotonic.h - the clock that deadlines and budgets are counted on: it never jumps.
 */
#ifndef TUNE_ENGINE_MONOTONIC_H
#define TUNE_ENGINE_MONOTONIC_H

#include <time.h>

static inline double monotonic_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
