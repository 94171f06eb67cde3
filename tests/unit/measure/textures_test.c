/* SPDX-License-Identifier: Apache-2.0 */
/* When objects are made, filled, copied back and released, with a device that notes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/textures.h"

#include <stdlib.h>
#include <string.h>

static char calls[64];
static bool failing;

static void note(char letter)
{
    size_t used = strlen(calls);
    if (used + 1 < sizeof calls)
        calls[used] = letter;
}

static void expect_calls(const char *expected)
{
    assert_string_equal(calls, expected);
    memset(calls, 0, sizeof calls);
}

static bool create(struct device *device, const struct texture_shape *shape, const struct texel *texel,
                   uint64_t address, struct device_texture **texture, uint64_t *handle, struct error *error)
{
    (void)device;
    note('c');
    if (failing)
        return error_set(error, ERROR_DOES_NOT_FIT, "full");
    assert_int_equal(texel->channels, 1);
    assert_int_equal(texel->bytes, 4);
    *texture = NULL;
    *handle = address + shape->extent.x;
    return true;
}

static bool fill(struct device *device, struct device_texture *texture, struct error *error)
{
    (void)device, (void)texture, (void)error;
    note('f');
    return true;
}

static bool drain(struct device *device, struct device_texture *texture, struct error *error)
{
    (void)device, (void)texture, (void)error;
    note('d');
    return true;
}

static void release(struct device *device, struct device_texture *texture)
{
    (void)device, (void)texture;
    note('r');
}

static const struct device_driver driver = {
    .texture_create = create, .texture_fill = fill, .texture_drain = drain, .texture_release = release};

static void test_order(void **state)
{
    (void)state;
    struct error error = {0};
    struct validation_kernels validation = {.driver = &driver};
    struct instance_buffer buffer = {
        .layout = &scalar_layouts[ELEMENT_FLOAT], .extent = 100, .memory = {.address = 0x1000}};
    struct instance_textures textures = {0};
    struct instance instance = {.buffers = &buffer, .buffer_count = 1, .textures = &textures};
    struct job_argument arguments[] = {
        {.kind = ARGUMENT_SCALAR},
        {.kind = ARGUMENT_TEXTURE, .texture = {.dimensions = 1, .extent = {10, 1, 1}}},
        {.kind = ARGUMENT_SURFACE, .texture = {.surface = true, .dimensions = 1, .extent = {20, 1, 1}}},
    };
    struct job_step body = {.kind = STEP_LAUNCH, .arguments = arguments, .argument_count = 3};
    struct job_step steps[] = {{.kind = STEP_LAUNCH, .arguments = arguments, .argument_count = 3},
                               {.kind = STEP_REPEAT, .body = &body, .body_count = 1}};
    uint64_t handle;
    assert_false(textures_handle(&arguments[1], &instance, &handle, &error));
    assert_true(textures_fill(&validation, steps, 2, &instance, &error));
    expect_calls("cfcf");
    assert_true(textures_handle(&arguments[1], &instance, &handle, &error));
    assert_int_equal(handle, 0x1000 + 10);
    assert_true(textures_handle(&arguments[2], &instance, &handle, &error));
    assert_int_equal(handle, 0x1000 + 20);
    assert_true(textures_drain(&validation, steps, 2, &instance, &error));
    expect_calls("d");
    assert_true(textures_fill(&validation, steps, 2, &instance, &error)); /* surfaces only */
    expect_calls("f");
    textures_clear(&validation, &textures);
    expect_calls("rr");
    failing = true;
    assert_false(textures_fill(&validation, steps, 2, &instance, &error));
    assert_int_equal(error.code, ERROR_DOES_NOT_FIT);
    failing = false;
    assert_null(textures.first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
