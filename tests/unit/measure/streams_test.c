/* SPDX-License-Identifier: Apache-2.0 */
/* Which streams a sequence uses, and what the device is told before and after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/streams.h"

static uint32_t seen[2];
static int calls;

static bool use_stream(struct device *device, unsigned stream, struct error *error)
{
    (void)device, (void)stream, (void)error;
    return true;
}

static bool wait_streams(struct device *device, uint32_t waiters, uint32_t awaited, struct error *error)
{
    (void)device, (void)error;
    calls++;
    seen[0] = waiters;
    seen[1] = awaited;
    return true;
}

static const struct device_driver several = {.use_stream = use_stream, .wait = wait_streams}, in_order = {0};

static void test_streams(void **state)
{
    (void)state;
    struct job_step body[] = {{.kind = STEP_FILL, .stream = 15}, {.kind = STEP_WAIT, .stream = 0, .awaited = 3}};
    struct job_step steps[] = {{.kind = STEP_LAUNCH},
                               {.kind = STEP_LAUNCH, .stream = 1},
                               {.kind = STEP_REPEAT, .body = body, .body_count = 2}};
    assert_int_equal(streams_of(&several, steps, 1), 0);
    assert_int_equal(streams_of(&several, steps, 2), 1u << 1);
    assert_int_equal(streams_of(&several, steps, 3), 1u << 1 | 1u << 3 | 1u << 15);
    assert_int_equal(streams_of(&in_order, steps, 3), 0);
}

static void test_forks(void **state)
{
    (void)state;
    assert_true(streams_fork(&in_order, NULL, 0, NULL));
    assert_true(streams_join(&in_order, NULL, 0, NULL));
    assert_int_equal(calls, 0);
    assert_true(streams_fork(&several, NULL, 6, NULL));
    assert_int_equal(seen[0], 6);
    assert_int_equal(seen[1], 1);
    assert_true(streams_join(&several, NULL, 6, NULL));
    assert_int_equal(seen[0], 1);
    assert_int_equal(seen[1], 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams), cmocka_unit_test(test_forks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
