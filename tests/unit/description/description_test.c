/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/h100.h"

static char path[] = "/tmp/tune-description-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void put(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_written_and_read_again(void **state)
{
    (void)state;
    struct error error = {0};
    struct device_description again;
    memset(&again, 0xff, sizeof again);
    assert_true(device_description_write(path, &h100, &error));
    assert_true(device_description_read(path, &again, &error));
    assert_string_equal(again.kind, h100.kind);
    assert_string_equal(again.name, h100.name);
    assert_string_equal(again.architecture, h100.architecture);
    assert_string_equal(again.uuid, h100.uuid);
    assert_string_equal(again.driver, h100.driver);
    assert_string_equal(again.compiler, h100.compiler);
    assert_int_equal(again.memory_bytes, 85029158912);
    assert_int_equal(again.max_block_z, 64);
    assert_true(again.peak_flops == h100.peak_flops);
    assert_true(again.peak_bandwidth == h100.peak_bandwidth);
    assert_true(again.peak_special == h100.peak_special && again.peak_shared == h100.peak_shared);
    assert_true(again.peak_integer == h100.peak_integer);
    for (size_t i = 0; i < device_field_count; i++)
        assert_memory_equal((char *)&again + device_fields[i].offset, (const char *)&h100 + device_fields[i].offset,
                            sizeof(int64_t));
}

/* Every int64_t of the structure has a name: none is forgotten when one is added. */
static void test_every_limit_has_a_name(void **state)
{
    (void)state;
    size_t first = offsetof(struct device_description, compute_capability);
    size_t last = offsetof(struct device_description, peak_flops);
    assert_int_equal(device_field_count, (last - first) / sizeof(int64_t));
    for (size_t i = 0; i < device_field_count; i++)
        assert_int_equal(device_fields[i].offset, first + i * sizeof(int64_t));
}

static void change(const char *key, json_t *value)
{
    json_t *json = device_description_json(&h100);
    assert_non_null(json);
    if (value)
        assert_int_equal(json_object_set_new(json, key, value), 0);
    else
        assert_int_equal(json_object_del(json, key), 0);
    assert_int_equal(json_dump_file(json, path, 0), 0);
    json_decref(json);
}

static void expect_error(const char *text, const char *hint)
{
    struct error error = {0};
    struct device_description description;
    assert_false(device_description_read(path, &description, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, text));
    assert_string_equal(error.file, path);
    if (hint)
        assert_non_null(strstr(error.hint, hint));
}

static void test_wrong_fields(void **state)
{
    (void)state;
    change("warp_sise", json_integer(32));
    expect_error("\"warp_sise\"", "\"warp_size\"");
    change("sm_count", NULL);
    expect_error("field \"sm_count\" is missing", NULL);
    change("sm_count", json_string("132"));
    expect_error("\"sm_count\" of the device description must be a whole number", NULL);
    change("sm_count", json_real(132.5));
    expect_error("\"sm_count\" of the device description must be a whole number", NULL);
    change("l2_bytes", json_integer(-1));
    expect_error("\"l2_bytes\" of the device description is negative", NULL);
    change("peak_flops", json_string("many"));
    expect_error("\"peak_flops\"", NULL);
    change("name", json_integer(1));
    expect_error("\"name\" of the device description must be a string", NULL);
    change("name", json_string(""));
    expect_error("\"name\" of the device description is empty", NULL);
    change("kind", json_string("a kind of a name that is too long"));
    expect_error("\"kind\" of the device description is longer than 15 bytes", NULL);
    put("[1, 2]");
    expect_error("must be a JSON object", NULL);
}

static void test_optional_fields(void **state)
{
    (void)state;
    struct device_description description;
    change("uuid", NULL);
    assert_true(device_description_read(path, &description, NULL));
    assert_string_equal(description.uuid, "");
    change("peak_flops", NULL);
    assert_true(device_description_read(path, &description, NULL));
    assert_true(description.peak_flops == 0);
}

static void test_syntax_error_has_its_place(void **state)
{
    (void)state;
    struct error error = {0};
    struct device_description description;
    put("{\n  \"kind\": \"cuda\",\n  \"warp_size\": 3x2\n}\n");
    assert_false(device_description_read(path, &description, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_string_equal(error.file, path);
    assert_int_equal(error.line, 3);
    assert_string_equal(error.excerpt, "  \"warp_size\": 3x2");

    put("");
    assert_false(device_description_read(path, &description, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_int_equal(error.line, 1);
}

static void test_files(void **state)
{
    (void)state;
    struct error error = {0};
    struct device_description description;
    assert_false(device_description_read("/nowhere/at/all.json", &description, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "/nowhere/at/all.json: No such file"));
    assert_false(device_description_write("/nowhere/at/all.json", &h100, &error));
    assert_non_null(strstr(error.text, "/nowhere/at/all.json: No such file"));
    assert_false(device_description_read("/tmp", &description, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_false(device_description_write("/dev/full", &h100, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_non_null(strstr(error.text, "No space left"));
    assert_false(device_description_read("/dev/zero", &description, &error));
    assert_non_null(strstr(error.text, "it is a device"));
    FILE *large = fopen(path, "w");
    for (int i = 0; i < 20000; i++)
        fputs("     ", large);
    fclose(large);
    assert_false(device_description_read(path, &description, &error));
    assert_non_null(strstr(error.text, "too large"));
    unlink(path);
}

/* Timings are transferable where none of these differs: not the driver, the UUID or a few MiB of memory. */
static void test_alike(void **state)
{
    (void)state;
    struct device_description other = h100;
    strcpy(other.uuid, "GPU-other");
    strcpy(other.driver, "535.1");
    other.memory_bytes = 79 * ((int64_t)1 << 30) + 1; /* the H100's 85029158912 bytes are 79.19 GiB */
    assert_true(device_description_alike(&h100, &other));
    other.memory_bytes = 80 * ((int64_t)1 << 30);
    assert_false(device_description_alike(&h100, &other));
    other = h100;
    other.sm_count = 114;
    assert_false(device_description_alike(&h100, &other));
    other = h100;
    strcpy(other.kind, "cpu");
    assert_false(device_description_alike(&h100, &other));
    other = h100;
    strcpy(other.name, "NVIDIA H100 PCIe");
    assert_false(device_description_alike(&h100, &other));
    other = h100;
    strcpy(other.architecture, "sm_90a");
    assert_false(device_description_alike(&h100, &other));
}

/* Every field but uuid, driver, compiler and the peaks is required, and a failure leaves the target alone. */
static void test_required_fields(void **state)
{
    (void)state;
    static const char *const optional[] = {"uuid",           "driver",       "compiler",    "peak_flops",
                                           "peak_bandwidth", "peak_special", "peak_shared", "peak_integer"};
    json_t *whole = device_description_json(&h100);
    const char *key;
    json_t *value;
    size_t required = 0;
    assert_non_null(whole);
    json_object_foreach(whole, key, value)
    {
        struct device_description read = {.sm_count = 7};
        struct error error = {0};
        bool may_lack = false;
        for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
            may_lack = may_lack || strcmp(key, optional[i]) == 0;
        json_t *part = json_copy(whole);
        assert_int_equal(json_object_del(part, key), 0);
        assert_int_equal(device_description_from_json(part, &read, &error), may_lack);
        if (!may_lack) {
            assert_non_null(strstr(error.text, key));
            assert_int_equal(read.sm_count, 7);
            required++;
        }
        json_decref(part);
    }
    assert_int_equal(required, 3 + device_field_count);
    json_decref(whole);
}

static void test_longest_texts(void **state)
{
    (void)state;
    struct device_description description;
    change("kind", json_string("123456789012345")); /* char kind[16] */
    assert_true(device_description_read(path, &description, NULL));
    assert_string_equal(description.kind, "123456789012345");
    change("kind", json_string("1234567890123456"));
    assert_false(device_description_read(path, &description, NULL));
}

static void test_numbers(void **state)
{
    (void)state;
    struct device_description description;
    put("{\"sm_count\": 1, \"sm_count\": 2}");
    expect_error("not a device description: duplicate object key", NULL);
    change("memory_bytes", json_integer(INT64_MAX));
    assert_true(device_description_read(path, &description, NULL));
    assert_true(description.memory_bytes == INT64_MAX);
    change("peak_flops", json_integer(5)); /* a whole number is a number too */
    assert_true(device_description_read(path, &description, NULL));
    assert_true(description.peak_flops == 5);
    change("peak_bandwidth", json_real(-1));
    expect_error("\"peak_bandwidth\" of the device description must be a non-negative number", NULL);
}

/* Writing again replaces the file, and leaves nothing else beside it. */
static void test_whole_or_not_at_all(void **state)
{
    (void)state;
    struct device_description description;
    char folder[] = "/tmp/tune-description-XXXXXX", file[64];
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/device.json", folder);
    assert_true(device_description_write(file, &h100, NULL));
    assert_true(device_description_write(file, &h100, NULL)); /* over an earlier one */
    assert_true(device_description_read(file, &description, NULL));
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing else is in it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_and_read_again),
        cmocka_unit_test(test_every_limit_has_a_name),
        cmocka_unit_test(test_wrong_fields),
        cmocka_unit_test(test_optional_fields),
        cmocka_unit_test(test_syntax_error_has_its_place),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_alike),
        cmocka_unit_test(test_required_fields),
        cmocka_unit_test(test_longest_texts),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
