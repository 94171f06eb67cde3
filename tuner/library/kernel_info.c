/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel says of itself. */
#include "tuner/library/failure.h"
#include "tuner/library/kernel.h"
#include "tuner/library/online.h"
#include "tuner/library/structure.h"

/* ---- launches ---- */

/* Are they known before anything runs? */
static bool is_fixed(const struct job_step *step)
{
    switch (step->kind) {
    case STEP_LAUNCH:
    case STEP_COPY:
    case STEP_COPY_SYMBOL:
    case STEP_FILL:
    case STEP_WAIT:
        return !step->late;
    default:
        return false;
    }
}

/* Launch `index`; NULL: there are fewer, `*count` of them. */
static const struct job_step *find_launch(const struct variant *variant, size_t index, size_t *count)
{
    const struct job_steps *steps = variant_steps(variant, VARIANT_LAUNCH);
    const struct job_step *found = NULL;
    *count = 0;
    for (size_t i = 0; i < steps->count; i++) {
        const struct job_step *step = &steps->steps[i];
        if (!is_fixed(step)) {
            *count = 0;
            return NULL;
        }
        if (step->kind == STEP_LAUNCH && (*count)++ == index)
            found = step;
    }
    return found;
}

enum tune_code tune_kernel_launch(const struct tune_kernel *kernel, size_t index, struct tune_launch_info *info,
                                  struct tune_error *error)
{
    size_t count;
    if (!kernel || !info)
        return failure_argument(error, "tune_kernel_launch: no %s", kernel ? "place for the launch" : "kernel");
    const struct variant *variant = kernel_version(kernel)->variant;
    const struct job_step *step = find_launch(variant, index, &count);
    if (!step)
        return failure_argument(error, "tune_kernel_launch: there is no launch %zu, only %zu", index, count);
    const struct code *code = variant->code;
    const struct device_guest *guest = code->attached->driver->guest;
    const struct tune_launch_info own = {
        .kernel = code->job->program.kernels[step->kernel],
        .function = guest->function(code->program.kernels[step->kernel]),
        .grid = {step->grid.x, step->grid.y, step->grid.z},
        .block = {step->block.x, step->block.y, step->block.z},
        .cluster = {step->cluster.x, step->cluster.y, step->cluster.z},
        .shared_bytes = (size_t)step->shared,
        .cooperative = step->cooperative,
    };
    structure_write(&own, sizeof own, info);
    return TUNE_OK;
}

/* ---- the whole ---- */

void tune_kernel_describe(const struct tune_kernel *kernel, struct tune_kernel_info *info)
{
    if (!kernel || !info)
        return;
    const struct version *version = kernel_version(kernel);
    const struct variant *variant = version->variant;
    struct tune_kernel_info own = {
        .answer = version->answer,
        .buffer_count = variant->passed.count,
        .workspace = variant_bytes(variant),
        .must_prepare = variant_steps(variant, VARIANT_PREPARE)->count > 0,
        .must_finish = variant_steps(variant, VARIANT_FINISH)->count > 0,
        .waits = variant_waits(variant, VARIANT_LAUNCH),
        .from_cache = variant->code->from_cache,
    };
    (void)find_launch(variant, 0, &own.launch_count);
    (void)variant->code->attached->driver->guest->binary(variant->code->image, variant->code->image_bytes, &own.image,
                                                         &own.image_bytes, NULL);
    structure_write(&own, sizeof own, info);
}

enum tune_code tune_kernel_buffer(const struct tune_kernel *kernel, size_t index, struct tune_buffer_info *info,
                                  struct tune_error *error)
{
    if (!kernel || !info)
        return failure_argument(error, "tune_kernel_buffer: no %s", kernel ? "place for the buffer" : "kernel");
    const struct variant *variant = kernel_version(kernel)->variant;
    const struct job_case *one = code_case(variant->code);
    if (index >= variant->passed.count)
        return failure_argument(error, "tune_kernel_buffer: there is no buffer %zu, only %zu", index,
                                variant->passed.count);
    const struct passed_buffer *passed = &variant->passed.list[index];
    const struct job_buffer *buffer = &one->buffers[passed->buffer];
    const struct tune_buffer_info own = {
        .name = buffer->name,
        .type = buffer->layout->name,
        .role = passed->role,
        .elements = buffer->extent,
        .size = passed->bytes,
        .on_host = job_is_hosted(one, passed->memory),
    };
    structure_write(&own, sizeof own, info);
    return TUNE_OK;
}

enum tune_code tune_kernel_online(const struct tune_kernel *kernel, struct tune_online_info *info,
                                  struct tune_error *error)
{
    if (!kernel || !info)
        return failure_argument(error, "tune_kernel_online: no %s", kernel ? "place for what is known" : "kernel");
    const struct version *present = kernel_version(kernel);
    struct tune_online_info own = {.state = TUNE_ONLINE_OFF,
                                   .why = "nobody has asked for it",
                                   .configuration = present->answer->info.configuration,
                                   .ratio = 1};
    if (kernel->online)
        online_describe(kernel->online, present, &own);
    structure_write(&own, sizeof own, info);
    return TUNE_OK;
}
