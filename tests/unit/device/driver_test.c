/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA device without a GPU; tests/gpu has the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cuda/driver.h"

#include <string.h>

static void no_gpu_has_a_reason(void **state)
{
    (void)state;
    struct error error = {0};
    int count = -1;
    assert_true(cuda_driver.count(&count, &error));
    assert_true(count >= 0);
    if (count == 0) {
        assert_true(strlen(error.text) > 10);
        assert_int_not_equal(error.code, ERROR_FAULT); /* nothing is running that could have died */
    }
}

static void a_missing_gpu(void **state)
{
    (void)state;
    struct error error = {0};
    struct device *device = NULL;
    struct device_description description;
    assert_false(cuda_driver.open(100000, &device, &error));
    assert_null(device);
    assert_int_equal(error.code, ERROR_WORK);
    error = (struct error){0};
    assert_false(cuda_driver.look(100000, &description, &error));
    assert_int_equal(error.code, ERROR_WORK);
    cuda_driver.close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_gpu_has_a_reason),
        cmocka_unit_test(a_missing_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
