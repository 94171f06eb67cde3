/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The drivers of the library: they are found by kind, say why there is no device, and know the peaks of GPUs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tuner/device/cuda/limits.h"
#include "tuner/device/device.h"

static bool near(double a, double b)
{
    return a > b * 0.999 && a < b * 1.001;
}

/* Peak rates as NVIDIA's data sheets and whitepapers give them. */
static void test_peaks(void **state)
{
    (void)state;
    assert_true(near(limits_peak_flops(90, 132, 1980000), 66.9e12));  /* H100 SXM */
    assert_true(near(limits_peak_flops(80, 108, 1410000), 19.49e12)); /* A100 */
    assert_true(near(limits_peak_flops(70, 80, 1530000), 15.67e12));  /* V100 SXM2 */
    assert_true(near(limits_peak_flops(89, 128, 2520000), 82.58e12)); /* RTX 4090 */
    assert_true(near(limits_peak_flops(61, 28, 1582000), 11.34e12));  /* GTX 1080 Ti */
    assert_true(limits_peak_flops(50, 16, 1000000) == 0);
    assert_true(limits_peak_flops(999, 16, 1000000) == 0);
    assert_true(near(limits_peak_bandwidth(2619000, 5120), 3.352e12)); /* H100 SXM */
    assert_true(near(limits_peak_bandwidth(1215000, 5120), 1.555e12)); /* A100 40 GB */
}

static void test_drivers_are_found_by_kind(void **state)
{
    (void)state;
    const struct device_driver *cuda = device_driver_find("cuda");
    assert_non_null(cuda);
    assert_string_equal(cuda->kind, "cuda");
    const struct device_driver *cpu = device_driver_find("cpu");
    assert_non_null(cpu);
    assert_string_equal(cpu->kind, "cpu");
    assert_int_equal(device_driver_count, 2);
    assert_ptr_equal(device_drivers[0], cuda); /* the default, where there is one */
    assert_ptr_equal(device_drivers[1], cpu);
    assert_null(device_driver_find("abacus"));
}

/* With or without a GPU: counting says how many there are, or why there is none. */
static void test_no_gpu_has_a_reason(void **state)
{
    (void)state;
    struct error error = {0};
    int count = -1;
    assert_true(device_driver_find("cuda")->count(&count, &error));
    assert_true(count >= 0);
    if (count == 0)
        assert_true(strlen(error.text) > 10);

    struct device *device = NULL;
    assert_false(device_driver_find("cuda")->open(100000, &device, &error));
    assert_null(device);
    assert_int_equal(error.code, ERROR_WORK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peaks),
        cmocka_unit_test(test_drivers_are_found_by_kind),
        cmocka_unit_test(test_no_gpu_has_a_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
