/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/texture.h"

#include "tuner/device/cuda/result.h"

#include <stdlib.h>

struct device_texture {
    const struct context *context;
    struct texture_shape shape;
    cuda_address address; /* of the buffer */
    cuda_array array;     /* NULL: linear memory */
    unsigned texel_bytes;
    uint64_t object;
    bool created; /* `object` is one */
};

static unsigned format_of(const struct texel *texel)
{
    if (texel->floating)
        return CUDA_FORMAT_FLOAT;
    switch (texel->bytes) {
    case 1:
        return texel->is_signed ? CUDA_FORMAT_INT8 : CUDA_FORMAT_UINT8;
    case 2:
        return texel->is_signed ? CUDA_FORMAT_INT16 : CUDA_FORMAT_UINT16;
    default:
        return texel->is_signed ? CUDA_FORMAT_INT32 : CUDA_FORMAT_UINT32;
    }
}

/* Of everything that a texture asks for, only its size can be at fault. */
static bool check(const struct device_texture *texture, cuda_result result, struct error *error)
{
    const struct dimensions extent = texture->shape.extent;
    if (cuda_check(&texture->context->cuda, result, error, "making a %s of %u x %u x %u texels",
                   texture->shape.surface ? "surface" : "texture", extent.x, extent.y, extent.z))
        return true;
    if (result == CUDA_INVALID_VALUE && error)
        error->code = ERROR_RESOURCES;
    return false;
}

static bool make_array(struct device_texture *texture, const struct texel *texel, struct error *error)
{
    const struct texture_shape *shape = &texture->shape;
    const struct cuda_array_shape array = {
        .width = shape->extent.x,
        .height = shape->dimensions > 1 ? shape->extent.y : 0,
        .depth = shape->dimensions > 2 ? shape->extent.z : 0,
        .format = format_of(texel),
        .channels = texel->channels,
        .flags = shape->surface ? CUDA_ARRAY_SURFACE : 0,
    };
    return check(texture, texture->context->cuda.array_create(&texture->array, &array), error);
}

static bool make_texture(struct device_texture *texture, const struct cuda_resource *resource, bool floating,
                         struct error *error)
{
    static const unsigned modes[] = {
        [ADDRESS_CLAMP] = CUDA_ADDRESS_CLAMP,
        [ADDRESS_BORDER] = CUDA_ADDRESS_BORDER,
        [ADDRESS_WRAP] = CUDA_ADDRESS_WRAP,
        [ADDRESS_MIRROR] = CUDA_ADDRESS_MIRROR,
    };
    const struct texture_shape *shape = &texture->shape;
    unsigned mode = modes[shape->address];
    const struct cuda_texture description = {
        .address = {mode, mode, mode},
        .filter = shape->linear,
        .flags = (floating ? 0 : CUDA_TEXTURE_READ_AS_INTEGER) | (shape->normalized ? CUDA_TEXTURE_NORMALIZED : 0),
    };
    return check(texture, texture->context->cuda.texture_create(&texture->object, resource, &description, NULL),
                 error);
}

static bool make_object(struct device_texture *texture, const struct texel *texel, struct error *error)
{
    struct cuda_resource resource = {.kind = CUDA_RESOURCE_ARRAY};
    if (texture->shape.dimensions > 0) {
        if (!make_array(texture, texel, error))
            return false;
        resource.array = texture->array;
    } else {
        resource.kind = CUDA_RESOURCE_LINEAR;
        resource.linear.address = texture->address;
        resource.linear.format = format_of(texel);
        resource.linear.channels = texel->channels;
        resource.linear.bytes = (size_t)texture->shape.extent.x * texture->texel_bytes;
    }
    texture->created = texture->shape.surface
                           ? check(texture, texture->context->cuda.surface_create(&texture->object, &resource), error)
                           : make_texture(texture, &resource, texel->floating, error);
    return texture->created;
}

bool texture_create(const struct context *context, const struct texture_shape *shape, const struct texel *texel,
                    uint64_t address, struct device_texture **result, uint64_t *handle, struct error *error)
{
    struct device_texture *texture = malloc(sizeof *texture);
    if (!texture)
        return error_out_of_memory(error);
    *texture = (struct device_texture){
        .context = context, .shape = *shape, .address = address, .texel_bytes = texel->channels * texel->bytes};
    if (!make_object(texture, texel, error)) {
        texture_release(texture);
        return false;
    }
    *result = texture;
    *handle = texture->object;
    return true;
}

static bool copy(const struct device_texture *texture, bool back, struct error *error)
{
    if (!texture->array)
        return true;
    const struct context *context = texture->context;
    const struct dimensions extent = texture->shape.extent;
    const size_t row = (size_t)extent.x * texture->texel_bytes;
    const struct cuda_copy_side buffer = {
        .memory = CUDA_MEMORY_DEVICE, .address = texture->address, .pitch = row, .height = extent.y};
    const struct cuda_copy_side array = {.memory = CUDA_MEMORY_ARRAY, .array = texture->array};
    const struct cuda_copy whole = {.from = back ? array : buffer,
                                    .to = back ? buffer : array,
                                    .width_bytes = row,
                                    .height = extent.y,
                                    .depth = extent.z};
    return cuda_check(&context->cuda, context->cuda.copy_3d(&whole, context->stream), error,
                      "copying %u x %u x %u texels", extent.x, extent.y, extent.z);
}

bool texture_fill(struct device_texture *texture, struct error *error)
{
    return copy(texture, false, error);
}

bool texture_drain(struct device_texture *texture, struct error *error)
{
    return copy(texture, true, error);
}

void texture_release(struct device_texture *texture)
{
    const struct cuda_library *cuda = &texture->context->cuda;
    if (texture->created && texture->shape.surface)
        cuda->surface_destroy(texture->object);
    else if (texture->created)
        cuda->texture_destroy(texture->object);
    if (texture->array)
        cuda->array_destroy(texture->array);
    free(texture);
}
