/* SPDX-License-Identifier: Apache-2.0 */
/* Which clocks and reasons count as throttling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/throttle.h"

static void throttling_differs_from_usual_states(void **state)
{
    (void)state;
    static const struct {
        int64_t mhz, reasons;
        enum throttle throttle;
    } table[] = {
        {1980, 0, THROTTLE_NONE},
        {1485, 0, THROTTLE_NONE}, /* 75 % of 1980 */
        {1484, 0, THROTTLE_CLOCK},
        {1484, REASON_IDLE, THROTTLE_CLOCK},
        {1600, REASON_POWER_CAP, THROTTLE_NONE},
        {1400, REASON_POWER_CAP, THROTTLE_HEAT},
        {1980, REASON_HW_SLOWDOWN, THROTTLE_HEAT},
        {1980, REASON_SW_THERMAL, THROTTLE_HEAT},
        {1980, REASON_HW_THERMAL, THROTTLE_HEAT},
        {1980, REASON_POWER_BRAKE | REASON_CLOCKS_SET, THROTTLE_HEAT},
        {600, REASON_CLOCKS_SET, THROTTLE_NONE},
        {-1, -1, THROTTLE_NONE},
        {-1, 0, THROTTLE_NONE},
        {1980, -1, THROTTLE_NONE},
    };
    const struct device_description description = {.clock_khz = 1980000}, unknown = {0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct device_state now = {table[i].mhz, -1, -1, -1, table[i].reasons};
        assert_int_equal(throttle_of(&now, &description), table[i].throttle);
    }
    const struct device_state slow = {100, -1, -1, -1, 0};
    assert_int_equal(throttle_of(&slow, &unknown), THROTTLE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(throttling_differs_from_usual_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
