/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/steps.h"

#include "tuner/measure/streams.h"
#include "tuner/measure/textures.h"

#include <string.h>

/* ---- arguments ---- */

enum { MOST_ARGUMENTS = 256 };

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

static struct launch_shape shape_of(const struct job_step *step)
{
    return (struct launch_shape){.grid = step->grid,
                                 .block = step->block,
                                 .cluster = step->cluster,
                                 .dynamic_shared = (size_t)step->shared,
                                 .cooperative = step->cooperative};
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

static bool launch(struct validation_kernels *validation, const struct program *program, const struct job_step *step,
                   const struct instance *instance, struct error *error)
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
    const struct launch_shape shape = shape_of(step);
    return validation->driver->launch(validation->device, program->kernels[step->kernel], &shape, values.pointers,
                                      step->argument_count, error);
}

/* ---- copies, fills, repeats ---- */

static bool copy_symbol(struct validation_kernels *validation, const struct program *program,
                        const struct job_step *step, const struct instance *instance, struct error *error)
{
    if (step->symbol >= program->symbol_count)
        return error_set(error, ERROR_WORK, "a copy refers to symbol %zu of %zu", step->symbol,
                         program->symbol_count);
    const struct symbol *symbol = &program->symbols[step->symbol];
    const struct instance_buffer *source = &instance->buffers[step->source];
    uint64_t size = source->layout->bytes;
    uint64_t bytes = step->count * size, at = step->target_first * size;
    if (at + bytes > symbol->bytes)
        return error_set(error, ERROR_RESOURCES, "a copy of %llu bytes exceeds its symbol of %zu bytes",
                         (unsigned long long)(at + bytes), symbol->bytes);
    return validation->driver->copy(validation->device, symbol->address + at,
                                    source->memory.address + step->first * size, (size_t)bytes, error);
}

static bool copy(struct validation_kernels *validation, const struct job_step *step, const struct instance *instance,
                 struct error *error)
{
    const struct instance_buffer *source = &instance->buffers[step->source];
    const struct instance_buffer *target = &instance->buffers[step->target];
    uint64_t size = source->layout->bytes;
    return validation->driver->copy(validation->device, target->memory.address + step->target_first * size,
                                    source->memory.address + step->first * size, (size_t)(step->count * size), error);
}

static bool fill(struct validation_kernels *validation, const struct job_step *step, const struct instance *instance,
                 struct error *error)
{
    const struct instance_buffer *target = &instance->buffers[step->target];
    const enum element element = target->layout->leaves[0].element;
    size_t size = element_types[element].bytes;
    bool even = true;
    for (size_t i = 1; i < size; i++)
        even = even && step->bytes[i] == step->bytes[0];
    if (even) /* usually zeros: the device's own fill is faster than a kernel */
        return validation->driver->fill(validation->device, target->memory.address, step->bytes[0],
                                        (size_t)(target->extent * target->layout->bytes), error);
    uint64_t bits = 0;
    memcpy(&bits, step->bytes, size);
    struct filling filling = filling_of_bits(bits);
    return validation_fill(validation, target->memory.address, instance_array(target), &filling, error);
}

static bool run(struct validation_kernels *validation, const struct program *program, const struct job_step *steps,
                size_t count, const struct instance *instance, struct error *error);

/* Repeats the body until flag[0] is 0. Ignores the sign of floating-point numbers: -0.0 is 0 as well. */
static bool repeat(struct validation_kernels *validation, const struct program *program, const struct job_step *step,
                   const struct instance *instance, struct error *error)
{
    const struct instance_buffer *flag = &instance->buffers[step->target];
    const struct element_type *type = &element_types[flag->layout->leaves[0].element];
    uint32_t streams = streams_of(validation->driver, step->body, step->body_count);
    for (uint64_t round = 0; round < step->rounds; round++) {
        uint64_t value = 0;
        if (!run(validation, program, step->body, step->body_count, instance, error) ||
            !streams_join(validation->driver, validation->device, streams, error) ||
            !validation->driver->download(validation->device, &value, flag->memory.address, type->bytes, error))
            return false;
        if (type->floating)
            value &= UINT64_MAX >> (65 - 8 * type->bytes);
        if (value == 0)
            break;
    }
    return true;
}

static bool run_step(struct validation_kernels *validation, const struct program *program,
                     const struct job_step *step, const struct instance *instance, struct error *error)
{
    switch (step->kind) {
    case STEP_LAUNCH:
        return launch(validation, program, step, instance, error);
    case STEP_COPY_SYMBOL:
        return copy_symbol(validation, program, step, instance, error);
    case STEP_COPY:
        return copy(validation, step, instance, error);
    case STEP_FILL:
        return fill(validation, step, instance, error);
    case STEP_REPEAT:
        return repeat(validation, program, step, instance, error);
    case STEP_WAIT:
        return true; /* a device that runs everything in order */
    }
    return error_set(error, ERROR_WORK, "unknown step %d", (int)step->kind);
}

/* A step in a stream of its own; the current stream is the main one before and after it. */
static bool run_aside(struct validation_kernels *validation, const struct program *program,
                      const struct job_step *step, const struct instance *instance, struct error *error)
{
    const struct device_driver *driver = validation->driver;
    if (step->kind == STEP_WAIT)
        return driver->wait(validation->device, 1u << step->stream, 1u << step->awaited, error);
    bool done = driver->use_stream(validation->device, step->stream, error) &&
                run_step(validation, program, step, instance, error);
    return driver->use_stream(validation->device, 0, done ? error : NULL) && done;
}

static bool run(struct validation_kernels *validation, const struct program *program, const struct job_step *steps,
                size_t count, const struct instance *instance, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        bool aside = validation->driver->use_stream && (steps[i].stream > 0 || steps[i].kind == STEP_WAIT);
        if (aside ? !run_aside(validation, program, &steps[i], instance, error)
                  : !run_step(validation, program, &steps[i], instance, error))
            return false;
    }
    return true;
}

bool steps_queue(struct validation_kernels *validation, const struct program *program, const struct job_steps *steps,
                 const struct instance *instance, struct error *error)
{
    const struct device_driver *driver = validation->driver;
    uint32_t streams = streams_of(driver, steps->steps, steps->count);
    return streams_fork(driver, validation->device, streams, error) &&
           run(validation, program, steps->steps, steps->count, instance, error) &&
           streams_join(driver, validation->device, streams, error);
}

bool steps_begin(struct validation_kernels *validation, const struct job_steps *steps,
                 const struct instance *instance, struct error *error)
{
    return textures_fill(validation, steps->steps, steps->count, instance, error);
}

bool steps_end(struct validation_kernels *validation, const struct job_steps *steps, const struct instance *instance,
               struct error *error)
{
    return textures_drain(validation, steps->steps, steps->count, instance, error);
}

bool steps_run(struct validation_kernels *validation, const struct program *program, const struct job_steps *steps,
               const struct instance *instance, struct error *error)
{
    return steps_begin(validation, steps, instance, error) &&
           steps_queue(validation, program, steps, instance, error) && steps_end(validation, steps, instance, error);
}

/* ---- resources ---- */

static bool over(struct error *error, const char *kernel, const char *what, uint64_t wanted, int64_t limit)
{
    return error_set(error, ERROR_RESOURCES, "%s needs %llu %s; the limit is %lld", kernel,
                     (unsigned long long)wanted, what, (long long)limit);
}

/* A limit of 0 or less is unknown. */
static bool exceeds(uint64_t wanted, int64_t limit)
{
    return limit > 0 && wanted > (uint64_t)limit;
}

static bool check_geometry(const struct device_description *limits, const char *kernel, const struct job_step *step,
                           struct error *error)
{
    const struct {
        const char *what;
        uint32_t wanted;
        int64_t limit;
    } extents[] = {
        {"blocks in x", step->grid.x, limits->max_grid_x},    {"blocks in y", step->grid.y, limits->max_grid_y},
        {"blocks in z", step->grid.z, limits->max_grid_z},    {"threads in x", step->block.x, limits->max_block_x},
        {"threads in y", step->block.y, limits->max_block_y}, {"threads in z", step->block.z, limits->max_block_z},
    };
    for (size_t i = 0; i < sizeof extents / sizeof extents[0]; i++) {
        if (extents[i].wanted == 0)
            return error_set(error, ERROR_WORK, "%s is launched with 0 %s", kernel, extents[i].what);
        if (exceeds(extents[i].wanted, extents[i].limit))
            return over(error, kernel, extents[i].what, extents[i].wanted, extents[i].limit);
    }
    return true;
}

static bool check_launch(struct validation_kernels *validation, const struct program *program,
                         const struct job_program *source, const struct job_step *step, struct kernel_resources *most,
                         struct error *error)
{
    const struct device_description *limits = &validation->description;
    if (step->kernel >= program->kernel_count)
        return error_set(error, ERROR_WORK, "a launch refers to kernel %zu of %zu", step->kernel,
                         program->kernel_count);
    const char *name = source->kernels[step->kernel];
    if (!check_geometry(limits, name, step, error))
        return false;
    uint64_t threads = (uint64_t)step->block.x * step->block.y * step->block.z;
    if (exceeds(threads, limits->max_threads_per_block))
        return over(error, name, "threads per block", threads, limits->max_threads_per_block);
    struct kernel_resources resources;
    const struct launch_shape shape = shape_of(step);
    if (!validation->driver->resources(validation->device, program->kernels[step->kernel], &shape, &resources, error))
        return false;
    if (resources.registers > most->registers || most->max_threads == 0)
        *most = resources;
    if (exceeds(threads, resources.max_threads))
        return over(error, name, "threads per block at its register count", threads, resources.max_threads);
    if (resources.shared_bytes > 0 && exceeds((uint64_t)resources.shared_bytes, limits->max_shared_per_block_optin))
        return over(error, name, "bytes of shared memory per block", (uint64_t)resources.shared_bytes,
                    limits->max_shared_per_block_optin);
    return true;
}

static bool check_steps(struct validation_kernels *validation, const struct program *program,
                        const struct job_program *source, const struct job_step *steps, size_t count,
                        struct kernel_resources *resources, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == STEP_LAUNCH && !check_launch(validation, program, source, &steps[i], resources, error))
            return false;
        if (steps[i].kind == STEP_REPEAT &&
            !check_steps(validation, program, source, steps[i].body, steps[i].body_count, resources, error))
            return false;
    }
    return true;
}

bool steps_check_resources(struct validation_kernels *validation, const struct program *program,
                           const struct job_program *source, const struct job_steps *steps,
                           struct kernel_resources *resources, struct error *error)
{
    return check_steps(validation, program, source, steps->steps, steps->count, resources, error);
}

/* Is it a pointer of this kind into the buffer, or has one? */
static bool passes(const struct job_argument *argument, enum argument_kind kind, size_t buffer)
{
    bool texture = argument->kind == ARGUMENT_TEXTURE || argument->kind == ARGUMENT_SURFACE;
    if (argument->kind != ARGUMENT_COMPOUND)
        return (texture ? ARGUMENT_BUFFER : argument->kind) == kind && argument->buffer == buffer;
    for (size_t i = 0; i < argument->compound->pointer_count; i++) {
        if (passes(&argument->compound->pointers[i], kind, buffer))
            return true;
    }
    return false;
}

/* Does any step have such an argument, or with ARGUMENT_BUFFER any other use for the buffer? */
static bool uses(const struct job_step *steps, size_t count, enum argument_kind kind, size_t buffer)
{
    for (size_t i = 0; i < count; i++) {
        const struct job_step *step = &steps[i];
        for (size_t j = 0; step->kind == STEP_LAUNCH && j < step->argument_count; j++) {
            if (passes(&step->arguments[j], kind, buffer))
                return true;
        }
        bool has_source = step->kind == STEP_COPY || step->kind == STEP_COPY_SYMBOL;
        bool has_target = step->kind == STEP_COPY || step->kind == STEP_FILL || step->kind == STEP_REPEAT;
        if (kind == ARGUMENT_BUFFER &&
            ((has_source && step->source == buffer) || (has_target && step->target == buffer)))
            return true;
        if (step->kind == STEP_REPEAT && uses(step->body, step->body_count, kind, buffer))
            return true;
    }
    return false;
}

bool steps_use_buffer(const struct job_steps *steps, size_t buffer)
{
    return uses(steps->steps, steps->count, ARGUMENT_BUFFER, buffer);
}

bool steps_use_magnitude(const struct job_steps *steps, size_t buffer)
{
    return uses(steps->steps, steps->count, ARGUMENT_MAGNITUDE, buffer);
}
