/* SPDX-License-Identifier: Apache-2.0 */
/* What the driver is told of textures and surfaces, and that nothing is left behind. */
#include "fake_cuda.h"

#include "tuner/device/cuda/texture.h"

static struct {
    struct cuda_array_shape array;
    struct cuda_copy copy;
    struct cuda_resource resource;
    struct cuda_texture texture;
    int arrays, objects;
} seen;

static cuda_result array_create(cuda_array *array, const struct cuda_array_shape *shape)
{
    cuda_result result = fake_note('A');
    seen.array = *shape;
    if (result == CUDA_SUCCESS)
        *array = (cuda_array)(void *)&seen;
    seen.arrays += result == CUDA_SUCCESS;
    return result;
}

static cuda_result array_destroy(cuda_array array)
{
    assert_ptr_equal(array, &seen);
    seen.arrays--;
    return CUDA_SUCCESS;
}

static cuda_result copy_3d(const struct cuda_copy *copy, cuda_stream stream)
{
    (void)stream;
    seen.copy = *copy;
    return fake_note('C');
}

static cuda_result object_create(uint64_t *object, const struct cuda_resource *resource)
{
    *object = 77;
    seen.resource = *resource;
    cuda_result result = fake_note('O');
    seen.objects += result == CUDA_SUCCESS;
    return result;
}

static cuda_result texture_object(uint64_t *object, const struct cuda_resource *resource,
                                  const struct cuda_texture *texture, const void *view)
{
    assert_null(view);
    seen.texture = *texture;
    return object_create(object, resource);
}

static cuda_result object_destroy(uint64_t object)
{
    assert_int_equal(object, 77);
    seen.objects--;
    return CUDA_SUCCESS;
}

static struct context open_context(void)
{
    struct context context = fake_context();
    memset(&seen, 0, sizeof seen);
    context.cuda.array_create = array_create;
    context.cuda.array_destroy = array_destroy;
    context.cuda.copy_3d = copy_3d;
    context.cuda.texture_create = texture_object;
    context.cuda.texture_destroy = object_destroy;
    context.cuda.surface_create = object_create;
    context.cuda.surface_destroy = object_destroy;
    return context;
}

static const struct texel pair = {.channels = 2, .bytes = 4, .floating = true, .is_signed = true};

static void textures_of_arrays(void **state)
{
    (void)state;
    struct context context = open_context();
    struct error error = {0};
    const struct texture_shape shape = {
        .dimensions = 2, .extent = {6, 5, 1}, .linear = true, .normalized = true, .address = ADDRESS_MIRROR};
    struct device_texture *texture;
    uint64_t handle;
    assert_true(texture_create(&context, &shape, &pair, 0x1000, &texture, &handle, &error));
    assert_int_equal(handle, 77);
    assert_int_equal(seen.array.width, 6);
    assert_int_equal(seen.array.height, 5);
    assert_int_equal(seen.array.depth, 0);
    assert_int_equal(seen.array.format, CUDA_FORMAT_FLOAT);
    assert_int_equal(seen.array.channels, 2);
    assert_int_equal(seen.array.flags, 0);
    assert_int_equal(seen.texture.address[0], CUDA_ADDRESS_MIRROR);
    assert_int_equal(seen.texture.filter, 1);
    assert_int_equal(seen.texture.flags, CUDA_TEXTURE_NORMALIZED);
    assert_true(texture_fill(texture, &error));
    assert_int_equal(seen.copy.from.address, 0x1000);
    assert_int_equal(seen.copy.from.pitch, 48);
    assert_int_equal(seen.copy.to.memory, CUDA_MEMORY_ARRAY);
    assert_int_equal(seen.copy.width_bytes, 48);
    assert_int_equal(seen.copy.height, 5);
    assert_int_equal(seen.copy.depth, 1);
    texture_release(texture);
    assert_int_equal(seen.arrays + seen.objects, 0);
}

static void surfaces_are_copied_back(void **state)
{
    (void)state;
    struct context context = open_context();
    struct error error = {0};
    const struct texture_shape shape = {.surface = true, .dimensions = 3, .extent = {6, 5, 4}};
    const struct texel byte = {.channels = 1, .bytes = 1, .is_signed = true};
    struct device_texture *texture;
    uint64_t handle;
    assert_true(texture_create(&context, &shape, &byte, 0x1000, &texture, &handle, &error));
    assert_int_equal(seen.array.format, CUDA_FORMAT_INT8);
    assert_int_equal(seen.array.flags, CUDA_ARRAY_SURFACE);
    assert_int_equal(seen.array.depth, 4);
    assert_true(texture_drain(texture, &error));
    assert_int_equal(seen.copy.to.address, 0x1000);
    assert_int_equal(seen.copy.from.memory, CUDA_MEMORY_ARRAY);
    texture_release(texture);
    assert_int_equal(seen.arrays + seen.objects, 0);
}

static void linear_memory_is_no_copy(void **state)
{
    (void)state;
    struct context context = open_context();
    struct error error = {0};
    const struct texture_shape shape = {.extent = {10, 1, 1}};
    const struct texel four = {.channels = 4, .bytes = 2};
    struct device_texture *texture;
    uint64_t handle;
    assert_true(texture_create(&context, &shape, &four, 0x2000, &texture, &handle, &error));
    assert_int_equal(seen.resource.kind, CUDA_RESOURCE_LINEAR);
    assert_int_equal(seen.resource.linear.address, 0x2000);
    assert_int_equal(seen.resource.linear.bytes, 80);
    assert_int_equal(seen.resource.linear.format, CUDA_FORMAT_UINT16);
    assert_int_equal(seen.texture.flags, CUDA_TEXTURE_READ_AS_INTEGER);
    assert_true(texture_fill(texture, &error));
    assert_true(texture_drain(texture, &error));
    assert_string_equal(fake.calls, "O");
    texture_release(texture);
    assert_int_equal(seen.objects, 0);
}

static void failures_leave_nothing(void **state)
{
    (void)state;
    const struct texture_shape shape = {.dimensions = 2, .extent = {6, 5, 1}};
    for (size_t at = 1; at <= 2; at++) {
        struct context context = open_context();
        struct error error = {0};
        struct device_texture *texture;
        uint64_t handle;
        fake.failing_from = at;
        fake.result = 1; /* CUDA_ERROR_INVALID_VALUE */
        assert_false(texture_create(&context, &shape, &pair, 0x1000, &texture, &handle, &error));
        assert_int_equal(error.code, ERROR_RESOURCES);
        assert_int_equal(seen.arrays + seen.objects, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(textures_of_arrays), cmocka_unit_test(surfaces_are_copied_back),
        cmocka_unit_test(linear_memory_is_no_copy), cmocka_unit_test(failures_leave_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
