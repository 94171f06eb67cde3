/* SPDX-License-Identifier: Apache-2.0 */
/*
 * throttle.h - was the device slowed down while it was measured?
 *
 * Slow is: it is too hot, its power supply brakes it, or its SM clock is under 75 % of the highest (the bound of
 * NVBench). The power cap alone is not: a large GPU reaches it with any good kernel, and what it does to the clock is
 * seen there. Nor are clocks that the user has set.
 */
#ifndef TUNE_MEASURE_THROTTLE_H
#define TUNE_MEASURE_THROTTLE_H

#include "tuner/device/device.h"

enum throttle {
    THROTTLE_NONE,
    THROTTLE_CLOCK, /* a slow clock without a reason to wait: it rises under load */
    THROTTLE_HEAT,  /* or power: waiting helps */
};

/* What is not known (-1, or 0 for the highest clock) is taken for good. */
enum throttle throttle_of(const struct device_state *state, const struct device_description *description);

#endif
