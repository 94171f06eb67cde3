/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's result codes as errors, with a fake driver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tuner/device/cuda/result.h"

static cuda_result name_of(cuda_result result, const char **name)
{
    *name = result == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : NULL;
    return result == 700 ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
}

static cuda_result text_of(cuda_result result, const char **text)
{
    *text = result == 700 ? "an illegal memory access was encountered" : NULL;
    return result == 700 ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
}

static const struct cuda_library driver = {.error_name = name_of, .error_string = text_of};

static void test_text(void **state)
{
    (void)state;
    struct error error = {0};
    assert_true(cuda_check(&driver, CUDA_SUCCESS, &error, "waiting for %s", "it"));
    assert_int_equal(error.code, ERROR_NONE);
    assert_false(cuda_check(&driver, 700, &error, "waiting for %s", "it"));
    assert_string_equal(error.text,
                        "waiting for it: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)");
    assert_int_equal(error.code, ERROR_FAULT);
    assert_false(cuda_check(&driver, 12345, &error, "waiting for %s", "it"));
    assert_non_null(strstr(error.text, "waiting for it: "));
    assert_false(cuda_check(&driver, 700, NULL, "waiting"));
}

/* Results that kill a context, per the driver API's reference ("the process must be terminated and relaunched"). */
static void test_codes(void **state)
{
    (void)state;
    static const cuda_result faults[] = {700, 702, 710, 714, 715, 716, 717, 718, 719};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        assert_int_equal(cuda_result_code(faults[i]), ERROR_FAULT);
    /* Those of the GPU, its driver and its other users: unavailable, ECC and NVLink errors, MPS, unknown. */
    static const cuda_result failures[] = {46, 214, 220, 226, 304, 709, 802, 805, 806, 807, 808, 809, 999};
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        assert_int_equal(cuda_result_code(failures[i]), ERROR_DEVICE);
    assert_int_equal(cuda_result_code(0), ERROR_NONE);
    assert_int_equal(cuda_result_code(1), ERROR_WORK);
    assert_int_equal(cuda_result_code(2), ERROR_DOES_NOT_FIT);
    assert_int_equal(cuda_result_code(100), ERROR_WORK);
    assert_int_equal(cuda_result_code(209), ERROR_WORK);
    assert_int_equal(cuda_result_code(701), ERROR_RESOURCES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_codes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
