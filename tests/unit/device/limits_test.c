/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU's limits from a fake driver, and peak rates against data sheets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cuda/limits.h"

#include <stdio.h>
#include <string.h>

static int refused; /* the attribute that the driver does not report */

static cuda_result text_of(cuda_result result, const char **text)
{
    (void)result;
    *text = "text";
    return CUDA_SUCCESS;
}

static cuda_result name(char *text, int size, cuda_device device)
{
    snprintf(text, (size_t)size, "GPU %d", device);
    return CUDA_SUCCESS;
}

static cuda_result uuid(struct cuda_uuid *result, cuda_device device)
{
    (void)device;
    for (unsigned i = 0; i < 16; i++)
        result->bytes[i] = (unsigned char)(0x11 * i);
    return CUDA_SUCCESS;
}

static cuda_result memory(size_t *bytes, cuda_device device)
{
    (void)device;
    *bytes = (size_t)80 << 30;
    return CUDA_SUCCESS;
}

/* Attribute n reads 1000 + n, except the compute capability and those behind the peaks. */
static cuda_result attribute(int *value, int number, cuda_device device)
{
    (void)device;
    static const struct {
        int number, value;
    } special[] = {{75, 9}, {76, 0}, {16, 132}, {13, 1980000}, {36, 2619000}, {37, 5120}};
    *value = 1000 + number;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        if (special[i].number == number)
            *value = special[i].value;
    }
    return number == refused ? 1 : CUDA_SUCCESS;
}

static const struct cuda_library cuda = {
    .error_name = text_of,
    .error_string = text_of,
    .device_name = name,
    .device_uuid = uuid,
    .device_memory = memory,
    .device_attribute = attribute,
};

static bool near(double a, double b)
{
    return a > b * 0.999 && a < b * 1.001;
}

/* The numbers are those of CUdevice_attribute in the CUDA Driver API reference. */
static void test_every_limit_is_read(void **state)
{
    (void)state;
    struct device_description d = {.kind = "kept", .driver = "kept", .compiler = "kept"};
    struct error error = {0};
    refused = 0;
    assert_true(limits_read(&cuda, 3, &d, &error));
    assert_string_equal(d.name, "GPU 3");
    assert_string_equal(d.uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
    assert_string_equal(d.architecture, "sm_90");
    assert_int_equal(d.compute_capability, 90);
    assert_int_equal(d.memory_bytes, (int64_t)80 << 30);
    assert_int_equal(d.max_threads_per_block, 1001);
    assert_int_equal(d.max_block_z, 1004);
    assert_int_equal(d.max_grid_x, 1005);
    assert_int_equal(d.max_shared_per_block, 1008);
    assert_int_equal(d.constant_bytes, 1009);
    assert_int_equal(d.warp_size, 1010);
    assert_int_equal(d.max_registers_per_block, 1012);
    assert_int_equal(d.l2_bytes, 1038);
    assert_int_equal(d.max_threads_per_sm, 1039);
    assert_int_equal(d.max_shared_per_sm, 1081);
    assert_int_equal(d.max_registers_per_sm, 1082);
    assert_int_equal(d.max_shared_per_block_optin, 1097);
    assert_int_equal(d.max_blocks_per_sm, 1106);
    for (size_t i = 0; i < device_field_count; i++) {
        int64_t value;
        memcpy(&value, (const char *)&d + device_fields[i].offset, sizeof value);
        if (value <= 0)
            fail_msg("%s is not read", device_fields[i].name);
    }
    assert_true(near(d.peak_flops, 66.9e12));
    assert_true(near(d.peak_bandwidth, 3.352e12));
    assert_string_equal(d.kind, "kept");
    assert_string_equal(d.driver, "kept");
    assert_string_equal(d.compiler, "kept");
}

static void test_an_attribute_that_cannot_be_read(void **state)
{
    (void)state;
    static const int numbers[] = {1, 75, 76, 106};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct device_description d = {0};
        struct error error = {0};
        refused = numbers[i];
        assert_false(limits_read(&cuda, 0, &d, &error));
        assert_int_equal(error.code, ERROR_WORK);
    }
}

/* Peak rates as NVIDIA's data sheets and whitepapers give them. */
static struct device_description peaks(int64_t capability, int64_t sm_count, int64_t clock_khz)
{
    struct device_description description = {
        .compute_capability = capability, .sm_count = sm_count, .clock_khz = clock_khz};
    limits_peaks(&description);
    return description;
}

static void test_peaks(void **state)
{
    (void)state;
    assert_true(near(peaks(90, 132, 1980000).peak_flops, 66.9e12));  /* H100 SXM */
    assert_true(near(peaks(80, 108, 1410000).peak_flops, 19.49e12)); /* A100 */
    assert_true(near(peaks(70, 80, 1530000).peak_flops, 15.67e12));  /* V100 SXM2 */
    assert_true(near(peaks(89, 128, 2520000).peak_flops, 82.58e12)); /* RTX 4090 */
    assert_true(near(peaks(61, 28, 1582000).peak_flops, 11.34e12));  /* GTX 1080 Ti */
    assert_true(peaks(50, 16, 1000000).peak_flops == 0);
    assert_true(peaks(999, 16, 1000000).peak_flops == 0);
    assert_true(near(limits_peak_bandwidth(2619000, 5120), 3.352e12)); /* H100 SXM */
    assert_true(near(limits_peak_bandwidth(1215000, 5120), 1.555e12)); /* A100 40 GB */
}

/* Of one multiprocessor at 1 GHz, by the programming guide's table of throughputs. */
static void test_peaks_of_other_pipes(void **state)
{
    (void)state;
    static const struct {
        int64_t capability;
        double special, integer, shared;
    } cases[] = {{60, 16, 64, 128}, {61, 32, 128, 128}, {70, 16, 64, 128}, {80, 16, 64, 128},
                 {86, 16, 64, 128}, {90, 16, 64, 128},  {100, 16, 0, 128}, {52, 0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct device_description d = peaks(cases[i].capability, 1, 1000000);
        if (d.peak_special != cases[i].special * 1e9 || d.peak_integer != cases[i].integer * 1e9 ||
            d.peak_shared != cases[i].shared * 1e9)
            fail_msg("capability %d", (int)cases[i].capability);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_limit_is_read),
        cmocka_unit_test(test_an_attribute_that_cannot_be_read),
        cmocka_unit_test(test_peaks),
        cmocka_unit_test(test_peaks_of_other_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
