/* SPDX-License-Identifier: Apache-2.0 */
/*
 * advanced_clock.h - the clock of a test that cannot wait: clock_gettime is wrapped by the linker (CMakeLists.txt).
 */
#ifndef TUNE_TESTS_UNIT_ADVANCED_CLOCK_H
#define TUNE_TESTS_UNIT_ADVANCED_CLOCK_H

#include <time.h>

static time_t clock_ahead; /* seconds */

/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = __real_clock_gettime(clock, now);
    now->tv_sec += clock_ahead;
    return result;
}
/* NOLINTEND(bugprone-reserved-identifier) */

#endif
