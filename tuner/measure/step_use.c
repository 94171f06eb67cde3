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

/* Does any step have such an argument, or with ARGUMENT_BUFFER any other use for the buffer? */
static bool uses(const struct job_step *steps, size_t count, enum argument_kind kind, size_t buffer)
{
    for (size_t i = 0; i < count; i++) {
        const struct job_step *step = &steps[i];
        for (size_t j = 0; step->kind == STEP_LAUNCH && j < step->argument_count; j++) {
            if (passes(&step->arguments[j], kind, buffer))
                return true;
        }
        if (kind == ARGUMENT_BUFFER && ((step_has_source(step->kind) && step->source == buffer) ||
                                        (step_has_target(step->kind) && step->target == buffer)))
            return true;
        if (uses(step->body, step->body_count, kind, buffer) ||
            uses(step->otherwise, step->otherwise_count, kind, buffer))
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

static bool waits(const struct job_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == STEP_READ || steps[i].kind == STEP_REPEAT || waits(steps[i].body, steps[i].body_count) ||
            waits(steps[i].otherwise, steps[i].otherwise_count))
            return true;
    }
    return false;
}

bool steps_wait(const struct job_steps *steps)
{
    return waits(steps->steps, steps->count);
}
