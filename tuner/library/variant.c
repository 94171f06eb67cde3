/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/variant.h"

#include "tuner/device/host_part.h"
#include "tuner/job/formula.h"
#include "tuner/lang/expr.h"
#include "tuner/library/failure.h"
#include "tuner/measure/instance_run.h"
#include "tuner/measure/step_use.h"
#include "tuner/measure/steps.h"
#include "tuner/measure/textures.h"

#include <stdlib.h>
#include <string.h>

enum { TEXTURES_MOST = 64 }; /* that are kept for calls with other buffers */

const struct job_steps *variant_steps(const struct variant *variant, enum variant_block block)
{
    const struct job_case *one = code_case(variant->code);
    const struct job_steps *const blocks[] = {
        [VARIANT_PREPARE] = &one->prepare, [VARIANT_LAUNCH] = &one->launch, [VARIANT_FINISH] = &one->finish};
    return blocks[block];
}

/* ---- counts of the setup block ---- */

/* Does a formula of the step use the name that the context is a slot of? */
static bool uses_name(const struct job_step *step, const void *context)
{
    for (size_t i = 0; step->late && i < step->late->formula_count; i++) {
        if (expr_uses(step->late->formulas[i].expr, *(const size_t *)context))
            return true;
    }
    return false;
}

static bool reads_name(const struct job_step *step, const void *context)
{
    return step->kind == STEP_READ && step->late->name && step->late->slot == *(const size_t *)context;
}

/* Is it for the setup to read the count that others use? */
static bool is_of_setup(const struct variant *variant, size_t name)
{
    bool used = false;
    for (size_t i = 0; i < VARIANT_BLOCKS; i++) {
        const struct job_steps *block = variant_steps(variant, (enum variant_block)i);
        if (steps_any(block, reads_name, &name))
            return false;
        used = used || steps_any(block, uses_name, &name);
    }
    return used;
}

static bool find_counts(struct variant *variant, struct error *error)
{
    const struct job_steps *setup = &code_case(variant->code)->setup;
    variant->counts.steps = calloc(setup->count + 1, sizeof *variant->counts.steps);
    if (!variant->counts.steps)
        return error_out_of_memory(error);
    for (size_t i = 0; i < setup->count; i++) {
        const struct job_step *step = &setup->steps[i];
        if (step->kind != STEP_READ || !is_of_setup(variant, step->late->slot))
            continue;
        if (variant->passed.of[step->target] == PASSED_NONE || step->late->formula_count > 0)
            return error_set(error, ERROR_INPUT, "%s is for the setup block to read, which programs do not run",
                             step->late->name);
        variant->counts.steps[variant->counts.count++] = *step; /* which belongs to the job */
    }
    return true;
}

/* ---- creation ---- */

/* Then the steps swap buffers as often as the data want. */
static bool swaps(const struct job_step *step, const void *context)
{
    (void)context;
    return step->kind == STEP_SWAP;
}

static bool make_plans(struct variant *variant, struct error *error)
{
    const struct plan_parts parts = {variant->code, &variant->passed, &variant->workspace.instance};
    bool swapped = false; /* by the blocks before */
    for (size_t i = 0; i < VARIANT_BLOCKS && !swapped; i++) {
        const enum variant_block block = (enum variant_block)i;
        swapped = steps_any(variant_steps(variant, block), swaps, NULL);
        if (variant->counts.count > 0 && block != VARIANT_FINISH)
            continue;
        if (!plan_make(&parts, variant_steps(variant, block), block != VARIANT_FINISH, block != VARIANT_PREPARE,
                       &variant->plans[i], error))
            return false;
    }
    return true;
}

static bool fill(struct variant *variant, const struct template *template, struct error *error)
{
    const struct code *code = variant->code;
    const struct attached *attached = code->attached;
    return passed_find(template, code_case(code), &variant->passed, error) &&
           attached->driver->guest->view(attached->device, &variant->view, error) &&
           workspace_open(code, variant->view, &variant->passed, &variant->workspace, error) &&
           find_counts(variant, error) && make_plans(variant, error);
}

enum tune_code variant_create(struct code *code, const struct template *template, struct variant **result,
                              struct tune_error *error)
{
    struct error own;
    struct variant *variant = calloc(1, sizeof *variant);
    if (!variant) {
        code_release(code);
        return failure_out_of_memory(error);
    }
    variant->code = code;
    pthread_mutex_init(&variant->lock, NULL);
    if (!fill(variant, template, &own)) {
        variant_free(variant);
        return failure_of(&own, error);
    }
    atomic_store(&variant->prepared, variant_steps(variant, VARIANT_PREPARE)->count == 0);
    *result = variant;
    return TUNE_OK;
}

void variant_free(struct variant *variant)
{
    if (!variant)
        return;
    const struct attached *attached = variant->code->attached;
    for (size_t i = 0; i < VARIANT_BLOCKS; i++)
        plan_free(variant->plans[i]);
    workspace_clear(&variant->workspace);
    if (variant->view)
        attached->driver->close(variant->view);
    passed_clear(&variant->passed);
    free(variant->counts.steps);
    pthread_mutex_destroy(&variant->lock);
    code_release(variant->code);
    free(variant);
}

uint64_t variant_bytes(const struct variant *variant)
{
    const struct program *program = &variant->code->program;
    uint64_t bytes = workspace_bytes(&variant->workspace);
    for (size_t i = 0; i < program->symbol_count; i++)
        bytes += program->symbols[i].bytes;
    return bytes;
}

/* ---- running ---- */

bool variant_waits(const struct variant *variant, enum variant_block block)
{
    return steps_wait(variant_steps(variant, block)) || (block != VARIANT_FINISH && variant->counts.count > 0);
}

/* The context is the program's kernels. */
static bool launches_on_host(const struct job_step *step, const void *context)
{
    char *const *kernels = context;
    return step->kind == STEP_LAUNCH && host_kernel_name(kernels[step->kernel]);
}

/* What of the block a stream that is captured does not allow; NULL: nothing. */
static const char *obstacle(const struct variant *variant, enum variant_block block)
{
    const struct job_steps *steps = variant_steps(variant, block);
    if (variant_waits(variant, block))
        return "what it launches depends on data that it waits for";
    if (steps_any(steps, launches_on_host, variant->code->job->program.kernels))
        return "the host's cores run a part of it";
    if (!textures_made(steps->steps, steps->count, &variant->workspace.instance))
        return "it makes textures of buffers that it has not been launched with before";
    return NULL;
}

static enum tune_code check_capture(struct variant *variant, enum variant_block block, void *stream,
                                    struct tune_error *error)
{
    struct error own;
    bool capturing;
    if (!variant->code->attached->driver->guest->capturing(variant->view, stream, &capturing, &own))
        return failure_of(&own, error);
    const char *why = capturing ? obstacle(variant, block) : NULL;
    if (!why)
        return TUNE_OK;
    error_set(&own, ERROR_INPUT, "the stream is being captured into a graph, but %s", why);
    return failure_as(TUNE_ERROR_CAPTURING, &own, error);
}

/* What is prepared stays where it is. */
static bool settle(struct variant *variant, struct error *error)
{
    const struct instance *instance = &variant->workspace.instance;
    for (size_t i = 0; i < variant->passed.count; i++) {
        const size_t memory = variant->passed.list[i].memory;
        if (instance->buffers[memory].home != memory)
            return error_set(error, ERROR_INPUT, "the prepare block leaves buffer %s swapped with another",
                             instance->buffers[memory].name);
    }
    instance_settle(instance);
    return true;
}

static bool run_block(struct variant *variant, enum variant_block block, struct error *error)
{
    struct workspace *workspace = &variant->workspace;
    const struct program *program = &variant->code->program;
    const struct job_steps *steps = variant_steps(variant, block);
    const bool begins = block != VARIANT_FINISH;
    if (begins && (!steps_run(&workspace->filler, program, &variant->counts, &workspace->instance, error) ||
                   !workspace_begin(workspace, steps, error)))
        return false;
    return steps_run(&workspace->filler, program, steps, &workspace->instance, error) &&
           (block == VARIANT_PREPARE ? settle(variant, error) : workspace_end(workspace, error));
}

/* Before more are made: objects that were made for other calls must not be in use when they end. */
static bool limit_textures(struct workspace *workspace, const struct job_steps *steps, struct error *error)
{
    if (workspace->textures.count < TEXTURES_MOST || textures_made(steps->steps, steps->count, &workspace->instance))
        return true;
    if (!workspace->filler.driver->synchronize(workspace->filler.device, error))
        return false;
    textures_clear(&workspace->filler, &workspace->textures);
    return true;
}

/* On a device that does all at once, what went wrong is known now. */
static bool faults(const struct variant *variant, struct error *error)
{
    const struct device_driver *driver = variant->code->attached->driver;
    return !driver->use_stream && !driver->synchronize(variant->view, error);
}

static enum tune_code interpret(struct variant *variant, enum variant_block block, void *stream,
                                const struct tune_buffer *buffers, struct tune_error *error)
{
    struct error own;
    workspace_bind(&variant->workspace, buffers, block == VARIANT_FINISH && !variant->plans[VARIANT_LAUNCH]);
    enum tune_code code = check_capture(variant, block, stream, error);
    if (code != TUNE_OK)
        return code;
    if (!limit_textures(&variant->workspace, variant_steps(variant, block), &own) ||
        !run_block(variant, block, &own) || faults(variant, &own))
        return failure_of(&own, error);
    return TUNE_OK;
}

void variant_lock(struct variant *variant, void *stream)
{
    pthread_mutex_lock(&variant->lock);
    variant->code->attached->driver->guest->program_stream(variant->view, stream);
}

void variant_unlock(struct variant *variant)
{
    pthread_mutex_unlock(&variant->lock);
}

static enum tune_code run(struct variant *variant, enum variant_block block, void *stream,
                          const struct tune_buffer *buffers, struct tune_error *error)
{
    struct error own;
    if (variant->plans[block])
        return plan_queue(variant->plans[block], stream, buffers, &own) ? TUNE_OK : failure_of(&own, error);
    variant_lock(variant, stream);
    enum tune_code code = interpret(variant, block, stream, buffers, error);
    variant_unlock(variant);
    return code;
}

static enum tune_code run_in_context(struct variant *variant, enum variant_block block, void *stream,
                                     const struct tune_buffer *buffers, struct tune_error *error)
{
    const struct attached *attached = variant->code->attached;
    struct error own;
    bool entered;
    if (!attached_enter(attached, false, &entered, &own))
        return own.code == ERROR_INPUT ? failure_as(TUNE_ERROR_ARGUMENT, &own, error) : failure_of(&own, error);
    enum tune_code code = run(variant, block, stream, buffers, error);
    attached_leave(attached, entered);
    if (code == TUNE_OK && block == VARIANT_PREPARE)
        atomic_store(&variant->prepared, true);
    return code;
}

/* Most launches are over here: what they do costs less than to fetch the code for it, so that there is little. */
enum tune_code variant_run(struct variant *variant, enum variant_block block, void *stream,
                           const struct tune_buffer *buffers, struct tune_error *error)
{
    if (block == VARIANT_LAUNCH && variant->plans[block] &&
        plan_queue_at_once(variant->plans[block], stream, buffers))
        return TUNE_OK;
    return run_in_context(variant, block, stream, buffers, error);
}
