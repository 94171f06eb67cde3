/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU's state and energy from a fake management library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cuda/clocks.h"

#include <string.h>

static struct {
    int slow, fast; /* queries */
    int result;     /* of every query */
    unsigned long long reasons, millijoules;
} nvml;

static int clock_of(nvml_device device, int type, unsigned *mhz)
{
    (void)device;
    *mhz = type == NVML_CLOCK_SM ? 1980 : 2619;
    *(type == NVML_CLOCK_SM ? &nvml.fast : &nvml.slow) += 1;
    return nvml.result;
}

static int temperature(nvml_device device, int sensor, unsigned *celsius)
{
    (void)device, (void)sensor;
    *celsius = 45;
    return nvml.result;
}

static int power(nvml_device device, unsigned *milliwatts)
{
    (void)device;
    *milliwatts = 123456;
    return nvml.result;
}

static int reasons(nvml_device device, unsigned long long *bits)
{
    (void)device;
    *bits = nvml.reasons;
    return nvml.result;
}

static int energy(nvml_device device, unsigned long long *millijoules)
{
    (void)device;
    *millijoules = nvml.millijoules;
    return nvml.result;
}

static struct clocks made_up(void)
{
    memset(&nvml, 0, sizeof nvml);
    return (struct clocks){
        .nvml = {.clock = clock_of,
                 .temperature = temperature,
                 .power = power,
                 .throttle_reasons = reasons,
                 .energy = energy},
        .device = (nvml_device)(void *)&nvml,
    };
}

/* Stored rows hold these numbers, those of nvmlClocksEventReason* in NVML's reference. */
static void reasons_keep_their_numbers(void **state)
{
    (void)state;
    assert_int_equal(clocks_reasons(0), 0);
    for (unsigned long long bit = 1; bit <= 0x100; bit <<= 1)
        assert_int_equal(clocks_reasons(bit), bit);
    assert_int_equal(clocks_reasons(0x1ff), 0x1ff);
    assert_int_equal(clocks_reasons(0x4), REASON_POWER_CAP);
    assert_int_equal(clocks_reasons(0x20), REASON_SW_THERMAL);
    assert_int_equal(clocks_reasons(0x80 | 0x2), REASON_POWER_BRAKE | REASON_CLOCKS_SET);
}

static void reasons_that_are_unknown_are_other(void **state)
{
    (void)state;
    assert_int_equal(clocks_reasons(0x200), REASON_OTHER);
    assert_int_equal(clocks_reasons(1ull << 63), REASON_OTHER);
    assert_int_equal(clocks_reasons(0xc00 | 0x8), REASON_OTHER | REASON_HW_SLOWDOWN);
}

static void the_state_is_read(void **state)
{
    (void)state;
    struct clocks clocks = made_up();
    struct device_state now;
    nvml.reasons = 0x4;
    clocks_read(&clocks, &now);
    assert_int_equal(now.sm_clock_mhz, 1980);
    assert_int_equal(now.memory_clock_mhz, 2619);
    assert_int_equal(now.temperature_c, 45);
    assert_int_equal(now.power_mw, 123456);
    assert_int_equal(now.throttle_reasons, REASON_POWER_CAP);
}

/* The slow queries happen once per second, the fast ones each time. */
static void slow_queries_are_rare(void **state)
{
    (void)state;
    struct clocks clocks = made_up();
    struct device_state now;
    for (int i = 0; i < 5; i++)
        clocks_read(&clocks, &now);
    assert_int_equal(nvml.fast, 5);
    assert_int_equal(nvml.slow, 1);
    assert_int_equal(now.power_mw, 123456);
    clocks.slow_read.tv_sec -= 2;
    clocks_read(&clocks, &now);
    assert_int_equal(nvml.slow, 2);
}

static void what_is_not_reported_reads_minus_one(void **state)
{
    (void)state;
    struct clocks clocks = made_up();
    struct device_state now;
    nvml.result = 3; /* NVML_ERROR_NOT_SUPPORTED */
    clocks_read(&clocks, &now);
    assert_true(now.sm_clock_mhz == -1 && now.memory_clock_mhz == -1 && now.temperature_c == -1);
    assert_true(now.power_mw == -1 && now.throttle_reasons == -1);
    clocks.device = NULL;
    nvml.result = 0;
    clocks_read(&clocks, &now);
    assert_true(now.sm_clock_mhz == -1 && now.throttle_reasons == -1);
}

static void energy_is_in_joules(void **state)
{
    (void)state;
    struct clocks clocks = made_up();
    struct error error = {0};
    double joules = 0;
    nvml.millijoules = 1234567;
    assert_true(clocks_energy(&clocks, &joules, &error));
    assert_float_equal(joules, 1234.567, 1e-9);
    nvml.result = 3;
    assert_false(clocks_energy(&clocks, &joules, &error));
    assert_int_equal(error.code, ERROR_WORK);
    assert_non_null(strstr(error.text, "does not report energy"));
    clocks.device = NULL;
    assert_false(clocks_energy(&clocks, &joules, &error));
    assert_int_equal(error.code, ERROR_WORK);
}

/* With or without the library, closing is safe, even twice. */
static void an_unknown_gpu_is_no_error(void **state)
{
    (void)state;
    struct clocks clocks;
    struct device_state now;
    clocks_open(&clocks, "GPU-00000000-0000-0000-0000-000000000000");
    assert_null(clocks.device);
    clocks_read(&clocks, &now);
    assert_int_equal(now.sm_clock_mhz, -1);
    clocks_close(&clocks);
    clocks_close(&clocks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons_keep_their_numbers),
        cmocka_unit_test(reasons_that_are_unknown_are_other),
        cmocka_unit_test(the_state_is_read),
        cmocka_unit_test(slow_queries_are_rare),
        cmocka_unit_test(what_is_not_reported_reads_minus_one),
        cmocka_unit_test(energy_is_in_joules),
        cmocka_unit_test(an_unknown_gpu_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
