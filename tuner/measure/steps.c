/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/steps.h"

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
    const struct instance_buffer *buffer = &instance->buffers[argument->buffer];
    uint64_t bytes = sizeof(double);
    switch (argument->kind) {
    case ARGUMENT_REFERENCE:
        *slot = buffer->reference;
        break;
    case ARGUMENT_MAGNITUDE:
        *slot = buffer->magnitude;
        break;
    default:
        *slot = buffer->memory.address;
        bytes = element_types[buffer->element].bytes;
    }
    if (*slot == 0)
        return error_set(error, ERROR_WORK, "a launch uses the reference of a buffer that is not checked");
    *slot += argument->offset * bytes;
    return true;
}

static bool launch(struct validation_kernels *validation, const struct program *program, const struct job_step *step,
                   const struct instance *instance, struct error *error)
{
    uint64_t slots[MOST_ARGUMENTS];
    void *pointers[MOST_ARGUMENTS];
    if (step->kernel >= program->kernel_count)
        return error_set(error, ERROR_WORK, "a launch refers to kernel %zu of %zu", step->kernel,
                         program->kernel_count);
    if (step->argument_count > MOST_ARGUMENTS)
        return error_set(error, ERROR_WORK, "a launch has more than %d arguments", MOST_ARGUMENTS);
    for (size_t i = 0; i < step->argument_count; i++) {
        if (!resolve(&step->arguments[i], instance, &slots[i], error))
            return false;
        pointers[i] = &slots[i];
    }
    return validation->driver->launch(validation->device, program->kernels[step->kernel], step->grid, step->block,
                                      (size_t)step->shared, pointers, step->argument_count, error);
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
    uint64_t size = element_types[source->element].bytes;
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
    uint64_t size = element_types[source->element].bytes;
    return validation->driver->copy(validation->device, target->memory.address + step->target_first * size,
                                    source->memory.address + step->first * size, (size_t)(step->count * size), error);
}

static bool fill(struct validation_kernels *validation, const struct job_step *step, const struct instance *instance,
                 struct error *error)
{
    const struct instance_buffer *target = &instance->buffers[step->target];
    size_t size = element_types[target->element].bytes;
    bool even = true;
    for (size_t i = 1; i < size; i++)
        even = even && step->bytes[i] == step->bytes[0];
    if (even) /* usually zeros: the device's own fill is faster than a kernel */
        return validation->driver->fill(validation->device, target->memory.address, step->bytes[0],
                                        (size_t)(target->extent * size), error);
    uint64_t bits = 0;
    memcpy(&bits, step->bytes, size);
    struct filling filling = filling_bits(target->element, bits);
    return validation_fill(validation, target->memory.address, target->extent, &filling, error);
}

static bool run(struct validation_kernels *validation, const struct program *program, const struct job_step *steps,
                size_t count, const struct instance *instance, struct error *error);

/* Repeats the body until flag[0] is 0. Ignores the sign of floating-point numbers: -0.0 is 0 as well. */
static bool repeat(struct validation_kernels *validation, const struct program *program, const struct job_step *step,
                   const struct instance *instance, struct error *error)
{
    const struct instance_buffer *flag = &instance->buffers[step->target];
    for (uint64_t round = 0; round < step->rounds; round++) {
        uint64_t value = 0;
        if (!run(validation, program, step->body, step->body_count, instance, error) ||
            !validation->driver->download(validation->device, &value, flag->memory.address,
                                          element_types[flag->element].bytes, error))
            return false;
        if (flag->element == ELEMENT_FLOAT)
            value &= UINT32_MAX >> 1;
        else if (flag->element == ELEMENT_DOUBLE)
            value &= UINT64_MAX >> 1;
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
    }
    return error_set(error, ERROR_WORK, "unknown step %d", (int)step->kind);
}

static bool run(struct validation_kernels *validation, const struct program *program, const struct job_step *steps,
                size_t count, const struct instance *instance, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!run_step(validation, program, &steps[i], instance, error))
            return false;
    }
    return true;
}

bool steps_run(struct validation_kernels *validation, const struct program *program, const struct job_steps *steps,
               const struct instance *instance, struct error *error)
{
    return run(validation, program, steps->steps, steps->count, instance, error);
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
    if (!validation->driver->resources(validation->device, program->kernels[step->kernel], (uint32_t)threads,
                                       (size_t)step->shared, &resources, error))
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

/* Does any step have such an argument, or with ARGUMENT_BUFFER any other use for the buffer? */
static bool uses(const struct job_step *steps, size_t count, enum argument_kind kind, size_t buffer)
{
    for (size_t i = 0; i < count; i++) {
        const struct job_step *step = &steps[i];
        for (size_t j = 0; step->kind == STEP_LAUNCH && j < step->argument_count; j++) {
            if (step->arguments[j].kind == kind && step->arguments[j].buffer == buffer)
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
