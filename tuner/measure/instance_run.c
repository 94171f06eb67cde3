/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/instance_run.h"

#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

bool instance_grow_values(struct instance *instance, size_t count, struct error *error)
{
    struct value **const arrays[] = {&instance->values, &instance->early, &instance->found};
    if (count <= instance->value_count)
        return true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        struct value *longer = realloc(*arrays[i], count * sizeof *longer);
        if (!longer)
            return error_out_of_memory(error);
        memset(longer + instance->value_count, 0, (count - instance->value_count) * sizeof *longer);
        *arrays[i] = longer;
    }
    instance->value_count = count;
    return true;
}

void instance_keep_values(const struct instance *instance)
{
    if (instance->value_count > 0)
        memcpy(instance->early, instance->values, instance->value_count * sizeof *instance->values);
}

void instance_forget_values(const struct instance *instance)
{
    if (instance->value_count > 0)
        memcpy(instance->values, instance->early, instance->value_count * sizeof *instance->values);
}

/* ---- swaps ---- */

void instance_swap(const struct instance *instance, size_t a, size_t b)
{
    struct instance_buffer *first = &instance->buffers[a], *second = &instance->buffers[b];
    const struct guarded memory = first->memory;
    const size_t home = first->home;
    first->memory = second->memory;
    first->home = second->home;
    second->memory = memory;
    second->home = home;
}

void instance_settle(const struct instance *instance)
{
    for (size_t i = 0; i < instance->buffer_count; i++)
        instance->buffers[i].home = i;
}

void instance_go_home(const struct instance *instance)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        while (instance->buffers[i].home != i)
            instance_swap(instance, i, instance->buffers[i].home);
    }
}

/* ---- late buffers ---- */

/* Without guard bands; `bytes` is all that there is room for. */
static bool reserve_bare(struct validation_kernels *validation, struct instance_buffer *buffer, struct error *error)
{
    const struct device_driver *driver = validation->driver;
    const bool hosted = buffer->memory.host && driver->host_allocate;
    const uint64_t bytes = instance_buffer_bytes(buffer);
    uint64_t address;
    if (buffer->memory.allocation && bytes <= buffer->memory.capacity)
        return true;
    if (bytes > SIZE_MAX)
        return error_set(error, ERROR_DOES_NOT_FIT, "a buffer of %llu bytes does not fit in memory",
                         (unsigned long long)bytes);
    instance_release_bare(validation, buffer);
    if (!(hosted ? driver->host_allocate : driver->allocate)(validation->device, (size_t)bytes, &address, error))
        return false;
    buffer->memory.allocation = buffer->memory.address = address;
    buffer->memory.bytes = buffer->memory.capacity = bytes;
    return true;
}

bool instance_allocate_bare(struct validation_kernels *validation, const struct instance *instance, size_t index,
                            uint64_t extent, struct error *error)
{
    struct instance_buffer *buffer = &instance->buffers[index];
    buffer->extent = extent;
    if (!reserve_bare(validation, buffer, error)) {
        buffer->extent = 0;
        return false;
    }
    return true;
}

void instance_release_bare(struct validation_kernels *validation, struct instance_buffer *buffer)
{
    const bool host = buffer->memory.host;
    validation_release_guarded(validation, &buffer->memory);
    buffer->memory.host = host;
}

bool instance_allocate(struct validation_kernels *validation, const struct instance *instance, size_t index,
                       uint64_t extent, struct error *error)
{
    struct instance_buffer *buffer = &instance->buffers[index];
    if (instance->bare)
        return instance_allocate_bare(validation, instance, index, extent, error) &&
               (buffer->role != BUFFER_SCRATCH ||
                validation_fill(validation, buffer->memory.address, instance_array(buffer), &buffer->filling, error));
    const struct filling filling =
        buffer->other && instance_has_poison_role(buffer->role) ? filling_other_poison() : buffer->filling;
    if (!buffer->memory.allocation || buffer->extent != extent) {
        if (validation->on_allocate)
            validation->on_allocate(index, false, validation->on_allocate_context);
        buffer->extent = extent;
        bool done = validation_resize_guarded(validation, instance_buffer_bytes(buffer), &buffer->memory, error);
        if (!done)
            buffer->extent = 0;
        if (validation->on_allocate)
            validation->on_allocate(index, true, validation->on_allocate_context);
        if (!done)
            return false;
    }
    return validation_blank_guards(validation, &buffer->memory, buffer->blank, error) &&
           validation_fill(validation, buffer->memory.address, instance_array(buffer), &filling, error);
}
