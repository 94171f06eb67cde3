/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/texture.h"

#include <inttypes.h>
#include <string.h>

bool texture_texel(const struct layout *layout, struct texel *texel)
{
    const struct element_type *type = &element_types[layout->leaves[0].element];
    size_t channels = layout->leaf_count;
    *texel = (struct texel){(unsigned)channels, (unsigned)type->bytes, type->floating, type->is_signed};
    return layout_is_array(layout) && (channels == 1 || channels == 2 || channels == 4) &&
           (type->floating ? type->bytes == 4 : type->bytes <= 4);
}

static bool refuse(const struct unrolling *unrolling, const struct argument *argument, const char *text,
                   const char *hint)
{
    error_at(unrolling->lowering->error, ERROR_INPUT, argument->place, "%s", text);
    return hint ? error_hint(unrolling->lowering->error, "%s", hint) : false;
}

/* A string among words; without an expression the first one. */
static bool lower_word(const struct unrolling *unrolling, const struct expr *expr, const char *const *words,
                       size_t count, size_t *index)
{
    struct value value;
    *index = 0;
    if (!expr)
        return true;
    if (!lowering_value(unrolling->lowering, expr, &value))
        return false;
    for (; value.kind == VALUE_STRING && *index < count; ++*index) {
        if (strcmp(value.string, words[*index]) == 0)
            return true;
    }
    char text[128] = "";
    for (size_t i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\"%s\"", i ? ", " : "", words[i]);
    return error_at(unrolling->lowering->error, ERROR_INPUT, expr_place(expr), "this is none of %s", text);
}

static bool lower_options(const struct unrolling *unrolling, const struct texture_declaration *texture,
                          struct texture_shape *shape)
{
    static const char *const filters[] = {"point", "linear"};
    static const char *const modes[] = {
        [ADDRESS_CLAMP] = "clamp", [ADDRESS_BORDER] = "border", [ADDRESS_WRAP] = "wrap", [ADDRESS_MIRROR] = "mirror"};
    size_t filter, mode;
    if (!lower_word(unrolling, texture->filter, filters, 2, &filter) ||
        !lower_word(unrolling, texture->address, modes, 4, &mode) ||
        !lowering_truth(unrolling->lowering, texture->normalized, false, &shape->normalized))
        return false;
    shape->linear = filter == 1;
    shape->address = (enum address_mode)mode;
    return true;
}

/* The limits of compute capability 7.5 and later (CUDA C++ Programming Guide, technical specifications). */
static bool limit(const struct unrolling *unrolling, const struct argument *argument, struct texture_shape *shape,
                  const int64_t extent[3])
{
    static const int64_t textures[4][3] = {
        {1 << 28, 1, 1}, {131072, 1, 1}, {131072, 65536, 1}, {16384, 16384, 16384}};
    static const int64_t surfaces[4][3] = {{0}, {32768, 1, 1}, {131072, 65536, 1}, {16384, 16384, 16384}};
    const int64_t *most = shape->surface ? surfaces[shape->dimensions] : textures[shape->dimensions];
    for (size_t i = 0; i < 3; i++) {
        if (extent[i] < 1)
            return error_at(unrolling->lowering->error, ERROR_INPUT, argument->place,
                            "a texture or surface of %" PRId64 " texels", extent[i]);
        if (extent[i] > most[i])
            return error_at(unrolling->lowering->error, ERROR_RESOURCES, argument->place,
                            "%" PRId64 " texels; a %s of %u dimension%s has %" PRId64 " at most there", extent[i],
                            shape->surface ? "surface" : "texture", shape->dimensions,
                            shape->dimensions == 1 ? "" : "s", most[i]);
    }
    shape->extent = (struct dimensions){(uint32_t)extent[0], (uint32_t)extent[1], (uint32_t)extent[2]};
    return true;
}

static bool lower_extent(const struct unrolling *unrolling, const struct argument *argument,
                         const struct job_buffer *buffer, struct texture_shape *shape)
{
    const struct texture_declaration *texture = argument->texture;
    int64_t extent[3] = {buffer->extent > INT64_MAX ? INT64_MAX : (int64_t)buffer->extent, 1, 1};
    for (unsigned i = 0; i < texture->dimensions; i++) {
        if (!lowering_integer(unrolling->lowering, texture->extent[i], 1, &extent[i]))
            return false;
    }
    if (!limit(unrolling, argument, shape, extent))
        return false;
    uint64_t texels = (uint64_t)extent[0] * (uint64_t)extent[1] * (uint64_t)extent[2];
    return texels <= buffer->extent ||
           error_at(unrolling->lowering->error, ERROR_INPUT, argument->place,
                    "%" PRIu64 " texels, but %s has %" PRIu64 " elements", texels, buffer->name, buffer->extent);
}

/* What devices would read otherwise than it is written, or not at all. */
static bool check_shape(const struct unrolling *unrolling, const struct argument *argument,
                        const struct job_buffer *buffer, const struct texture_shape *shape)
{
    const struct texture_declaration *texture = argument->texture;
    struct texel texel;
    if (!texture_texel(buffer->layout, &texel))
        return refuse(unrolling, argument, "texels are floats or integers of 1, 2 or 4 bytes, or two or four of them",
                      "a buffer of uint2 holds the bits of double and long");
    if (shape->surface)
        return shape->dimensions > 0 ||
               refuse(unrolling, argument, "a surface needs its width", "write surface(y, width, height)");
    if (shape->dimensions == 0)
        return (!texture->filter && !texture->address && !texture->normalized) ||
               refuse(unrolling, argument, "a texture of linear memory, for tex1Dfetch, has no options",
                      "write texture(x, width) for tex1D");
    if (buffer->role != BUFFER_IN || unrolling->part == PART_SETUP)
        return refuse(unrolling, argument, "a texture with a width is a copy that is made once, so it needs an input",
                      "declare the buffer `in`, or read it by tex1Dfetch from texture(x)");
    if (shape->linear && !texel.floating)
        return refuse(unrolling, argument, "only floats can be filtered", NULL);
    bool turns = shape->address == ADDRESS_WRAP || shape->address == ADDRESS_MIRROR;
    return !turns || shape->normalized ||
           refuse(unrolling, argument, "\"wrap\" and \"mirror\" need normalized coordinates",
                  "write normalized = true, and pass coordinates from 0 to 1");
}

/* Textures are made of a buffer's memory before the block begins. */
static bool stays(const struct unrolling *unrolling, const struct argument *argument, const struct job_buffer *buffer)
{
    const struct lowering *lowering = unrolling->lowering;
    size_t index = (size_t)(buffer - unrolling->now->buffers);
    lowering->textured[index] = true;
    if (job_is_late(unrolling->now, index))
        return refuse(unrolling, argument, "a buffer whose extent depends on counts cannot be a texture",
                      "pass the buffer itself to the kernel");
    return !lowering->moved[index] ||
           refuse(unrolling, argument, "a buffer that is swapped in a loop or under a condition cannot be a texture",
                  "pass the buffer itself to the kernel");
}

bool texture_lower(const struct unrolling *unrolling, const struct argument *argument, struct job_argument *result)
{
    const struct job_buffer *buffer = unrolling_buffer(unrolling, argument->buffer, argument->place, &result->buffer);
    if (!buffer || !stays(unrolling, argument, buffer))
        return false;
    struct texture_shape *shape = &result->texture;
    *shape = (struct texture_shape){.surface = argument->kind == ARGUMENT_SURFACE,
                                    .dimensions = argument->texture->dimensions};
    return lower_options(unrolling, argument->texture, shape) && check_shape(unrolling, argument, buffer, shape) &&
           lower_extent(unrolling, argument, buffer, shape);
}
