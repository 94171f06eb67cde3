/* SPDX-License-Identifier: Apache-2.0 */
/*
 * throttle.h - was the device throttled while it was measured?
 *
 * It was if it is too hot, if its power supply limits it, or if its SM clock is below 75 % of the maximum (NVBench's
 * threshold). Reaching the power cap alone does not count: a large GPU reaches it with any good kernel, and the
 * effect shows in the clock. Neither do clocks that the user has set.
 */
#ifndef TUNE_MEASURE_THROTTLE_H
#define TUNE_MEASURE_THROTTLE_H

#include "tuner/device/device.h"

enum throttle {
    THROTTLE_NONE,
    THROTTLE_CLOCK, /* a slow clock that rises under load: no need to wait */
    THROTTLE_HEAT,  /* heat or power: waiting helps */
};

/* Unknown values (-1, or 0 for the maximum clock) count as fine. */
enum throttle throttle_of(const struct device_state *state, const struct device_description *description);

#endif
