/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/step_use.h"

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

static bool any(const struct job_step *steps, size_t count, step_predicate *holds, const void *context)
{
    for (size_t i = 0; i < count; i++) {
        if (holds(&steps[i], context) || any(steps[i].body, steps[i].body_count, holds, context) ||
            any(steps[i].otherwise, steps[i].otherwise_count, holds, context))
            return true;
    }
    return false;
}

bool steps_any(const struct job_steps *steps, step_predicate *holds, const void *context)
{
    return any(steps->steps, steps->count, holds, context);
}

struct use {
    enum argument_kind kind;
    size_t buffer;
};

/* Does the step have such an argument, or with ARGUMENT_BUFFER any other use for the buffer? */
static bool uses(const struct job_step *step, const void *context)
{
    const struct use *use = context;
    for (size_t i = 0; step->kind == STEP_LAUNCH && i < step->argument_count; i++) {
        if (passes(&step->arguments[i], use->kind, use->buffer))
            return true;
    }
    return use->kind == ARGUMENT_BUFFER && ((step_has_source(step->kind) && step->source == use->buffer) ||
                                            (step_has_target(step->kind) && step->target == use->buffer));
}

bool steps_use_buffer(const struct job_steps *steps, size_t buffer)
{
    return steps_any(steps, uses, &(struct use){ARGUMENT_BUFFER, buffer});
}

bool steps_use_magnitude(const struct job_steps *steps, size_t buffer)
{
    return steps_any(steps, uses, &(struct use){ARGUMENT_MAGNITUDE, buffer});
}

static bool waits(const struct job_step *step, const void *context)
{
    (void)context;
    return step->kind == STEP_READ || step->kind == STEP_REPEAT;
}

bool steps_wait(const struct job_steps *steps)
{
    return steps_any(steps, waits, NULL);
}
