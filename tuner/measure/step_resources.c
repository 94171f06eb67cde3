/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/step_resources.h"

#include "tuner/measure/launching.h"

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
    const struct launch_shape shape = launching_shape(step);
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
        if (!check_steps(validation, program, source, steps[i].body, steps[i].body_count, resources, error) ||
            !check_steps(validation, program, source, steps[i].otherwise, steps[i].otherwise_count, resources, error))
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
