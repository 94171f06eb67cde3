/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/launching.h"

#include "tuner/measure/textures.h"

#include <string.h>

/* The value of an argument in eight bytes: an address, or a scalar in its own type. */
static bool resolve(const struct job_argument *argument, const struct instance *instance, uint64_t *slot,
                    struct error *error)
{
    if (argument->kind == ARGUMENT_SCALAR) {
        memcpy(slot, argument->bytes, sizeof *slot);
        return true;
    }
    if (argument->buffer >= instance->buffer_count)
        return error_set(error, ERROR_WORK, "a launch refers to buffer %zu of %zu", argument->buffer,
                         instance->buffer_count);
    if (argument->kind == ARGUMENT_TEXTURE || argument->kind == ARGUMENT_SURFACE)
        return textures_handle(argument, instance, slot, error);
    const struct instance_buffer *buffer = &instance->buffers[argument->buffer];
    uint64_t bytes = sizeof(double) * buffer->layout->leaf_count;
    switch (argument->kind) {
    case ARGUMENT_REFERENCE:
        *slot = buffer->reference;
        break;
    case ARGUMENT_MAGNITUDE:
        *slot = buffer->magnitude;
        break;
    default:
        *slot = buffer->memory.address;
        bytes = buffer->layout->bytes;
    }
    if (*slot == 0)
        return error_set(error, ERROR_WORK, "a launch uses the reference of a buffer that is not checked");
    *slot += argument->offset * bytes;
    return true;
}

struct launch_shape launching_shape(const struct job_step *step)
{
    return (struct launch_shape){.grid = step->grid,
                                 .block = step->block,
                                 .cluster = step->cluster,
                                 .dynamic_shared = (size_t)step->shared,
                                 .cooperative = step->cooperative,
                                 .launches = step->launches};
}

/* The arguments of a launch: numbers and addresses in slots, vectors and structs in the room. */
struct values {
    uint64_t slots[MOST_ARGUMENTS];
    void *pointers[MOST_ARGUMENTS];
    size_t used; /* of the room */
    _Alignas(ALIGNMENT_LIMIT) unsigned char room[COMPOUND_BYTES_MOST + ALIGNMENT_LIMIT];
};

static bool resolve_compound(const struct job_compound *compound, const struct instance *instance,
                             struct values *values, void **pointer, struct error *error)
{
    unsigned char *at = values->room + values->used;
    if (compound->bytes > sizeof values->room - values->used)
        return error_set(error, ERROR_WORK, "the arguments of a launch have more than %d bytes", COMPOUND_BYTES_MOST);
    memcpy(at, compound->value, compound->bytes);
    for (size_t i = 0; i < compound->pointer_count; i++) {
        uint64_t address;
        if (!resolve(&compound->pointers[i], instance, &address, error))
            return false;
        memcpy(at + compound->pointers[i].at, &address, sizeof address);
    }
    values->used += (compound->bytes + 15) / 16 * 16;
    if (values->used > sizeof values->room)
        values->used = sizeof values->room;
    *pointer = at;
    return true;
}

bool launching_queue(struct validation_kernels *validation, const struct program *program,
                     const struct job_step *step, const struct instance *instance, struct error *error)
{
    struct values values;
    values.used = 0;
    if (step->kernel >= program->kernel_count)
        return error_set(error, ERROR_WORK, "a launch refers to kernel %zu of %zu", step->kernel,
                         program->kernel_count);
    if (step->argument_count > MOST_ARGUMENTS)
        return error_set(error, ERROR_WORK, "a launch has more than %d arguments", MOST_ARGUMENTS);
    for (size_t i = 0; i < step->argument_count; i++) {
        const struct job_argument *argument = &step->arguments[i];
        values.pointers[i] = &values.slots[i];
        if (!(argument->kind == ARGUMENT_COMPOUND
                  ? resolve_compound(argument->compound, instance, &values, &values.pointers[i], error)
                  : resolve(argument, instance, &values.slots[i], error)))
            return false;
    }
    const struct launch_shape shape = launching_shape(step);
    return validation->driver->launch(validation->device, program->kernels[step->kernel], &shape, values.pointers,
                                      step->argument_count, error);
}
