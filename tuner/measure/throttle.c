/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/throttle.h"

enum throttle throttle_of(const struct device_state *state, const struct device_description *description)
{
    enum { WAIT_FOR = REASON_HW_SLOWDOWN | REASON_SW_THERMAL | REASON_HW_THERMAL | REASON_POWER_BRAKE };
    int64_t reasons = state->throttle_reasons < 0 ? 0 : state->throttle_reasons;
    if (reasons & WAIT_FOR)
        return THROTTLE_HEAT;
    if (state->sm_clock_mhz <= 0 || (reasons & REASON_CLOCKS_SET))
        return THROTTLE_NONE;
    bool slow = 4000 * state->sm_clock_mhz < 3 * description->clock_khz; /* 75 % of the highest */
    if (!slow)
        return THROTTLE_NONE;
    return reasons & REASON_POWER_CAP ? THROTTLE_HEAT : THROTTLE_CLOCK;
}
