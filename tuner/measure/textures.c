/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/textures.h"

#include "tuner/job/texture.h"

#include <stdlib.h>
#include <string.h>

struct texture {
    size_t buffer;
    uint64_t address; /* of the buffer */
    struct texture_shape shape;
    struct device_texture *object;
    uint64_t handle;
    unsigned turn; /* the last in which it was filled or drained */
    struct texture *next;
};

static bool is_texture(const struct job_argument *argument)
{
    return argument->kind == ARGUMENT_TEXTURE || argument->kind == ARGUMENT_SURFACE;
}

static bool is_shape(const struct texture_shape *a, const struct texture_shape *b)
{
    return a->surface == b->surface && a->dimensions == b->dimensions && a->extent.x == b->extent.x &&
           a->extent.y == b->extent.y && a->extent.z == b->extent.z && a->linear == b->linear &&
           a->normalized == b->normalized && a->address == b->address;
}

static struct texture *find(const struct instance *instance, const struct job_argument *argument)
{
    struct texture *texture = instance->textures->first;
    const uint64_t address = instance->buffers[argument->buffer].memory.address;
    while (texture && (texture->buffer != argument->buffer || texture->address != address ||
                       !is_shape(&texture->shape, &argument->texture)))
        texture = texture->next;
    return texture;
}

static struct texture *make(struct validation_kernels *validation, const struct instance *instance,
                            const struct job_argument *argument, struct error *error)
{
    const struct instance_buffer *buffer = &instance->buffers[argument->buffer];
    struct texel texel;
    struct texture *texture = calloc(1, sizeof *texture);
    if (!texture || !texture_texel(buffer->layout, &texel)) {
        free(texture);
        error_out_of_memory(error);
        return NULL;
    }
    texture->buffer = argument->buffer;
    texture->address = buffer->memory.address;
    texture->shape = argument->texture;
    if (!validation->driver->texture_create(validation->device, &texture->shape, &texel, buffer->memory.address,
                                            &texture->object, &texture->handle, error)) {
        free(texture);
        return NULL;
    }
    texture->next = instance->textures->first;
    instance->textures->first = texture;
    instance->textures->count++;
    return texture;
}

static bool fill(struct validation_kernels *validation, const struct instance *instance,
                 const struct job_argument *argument, struct error *error)
{
    struct texture *texture = find(instance, argument);
    bool is_new = !texture;
    if (is_new && !(texture = make(validation, instance, argument, error)))
        return false;
    bool stale = texture->shape.surface || instance->bare;
    if (!is_new && (!stale || texture->turn == instance->textures->turn))
        return true;
    texture->turn = instance->textures->turn;
    return validation->driver->texture_fill(validation->device, texture->object, error);
}

static bool drain(struct validation_kernels *validation, const struct instance *instance,
                  const struct job_argument *argument, struct error *error)
{
    struct texture *texture = find(instance, argument);
    if (!texture || !texture->shape.surface || texture->turn == instance->textures->turn)
        return true;
    texture->turn = instance->textures->turn;
    return validation->driver->texture_drain(validation->device, texture->object, error);
}

typedef bool visit(struct validation_kernels *, const struct instance *, const struct job_argument *, struct error *);

static bool visit_all(struct validation_kernels *validation, const struct job_step *steps, size_t count,
                      const struct instance *instance, visit *each, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < steps[i].argument_count; j++) {
            const struct job_argument *argument = &steps[i].arguments[j];
            if (is_texture(argument) && !each(validation, instance, argument, error))
                return false;
        }
        if (!visit_all(validation, steps[i].body, steps[i].body_count, instance, each, error) ||
            !visit_all(validation, steps[i].otherwise, steps[i].otherwise_count, instance, each, error))
            return false;
    }
    return true;
}

bool textures_fill(struct validation_kernels *validation, const struct job_step *steps, size_t count,
                   const struct instance *instance, struct error *error)
{
    if (!instance->textures)
        return true;
    instance->textures->turn++;
    return visit_all(validation, steps, count, instance, fill, error);
}

bool textures_drain(struct validation_kernels *validation, const struct job_step *steps, size_t count,
                    const struct instance *instance, struct error *error)
{
    if (!instance->textures)
        return true;
    instance->textures->turn++;
    return visit_all(validation, steps, count, instance, drain, error);
}

bool textures_handle(const struct job_argument *argument, const struct instance *instance, uint64_t *handle,
                     struct error *error)
{
    const struct texture *texture = find(instance, argument);
    if (!texture)
        return error_set(error, ERROR_WORK, "a launch uses a texture that was not made");
    *handle = texture->handle;
    return true;
}

static bool is_made(struct validation_kernels *validation, const struct instance *instance,
                    const struct job_argument *argument, struct error *error)
{
    (void)validation, (void)error;
    return find(instance, argument) != NULL;
}

bool textures_made(const struct job_step *steps, size_t count, const struct instance *instance)
{
    return visit_all(NULL, steps, count, instance, is_made, NULL);
}

void textures_clear(struct validation_kernels *validation, struct instance_textures *textures)
{
    while (textures->first) {
        struct texture *texture = textures->first;
        textures->first = texture->next;
        textures->count--;
        validation->driver->texture_release(validation->device, texture->object);
        free(texture);
    }
}
