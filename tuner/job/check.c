/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/check.h"

struct checking {
    const struct job_program *program;
    const struct job_case *one;
    struct error *error;
};

static bool refuse(const struct checking *checking, const char *what)
{
    return error_set(checking->error, ERROR_SYSTEM, "damaged job: %s", what);
}

static bool has_buffer(const struct checking *checking, size_t buffer)
{
    return buffer < checking->one->buffer_count || refuse(checking, "no such buffer");
}

/* Elements [first, first + count) of a buffer. */
static bool has_range(const struct checking *checking, size_t buffer, uint64_t first, uint64_t count)
{
    if (!has_buffer(checking, buffer))
        return false;
    uint64_t extent = checking->one->buffers[buffer].extent;
    return (first <= extent && count <= extent - first) || refuse(checking, "a range is outside its buffer");
}

static bool has_dimensions(const struct checking *checking, struct dimensions dimensions)
{
    return (dimensions.x && dimensions.y && dimensions.z) || refuse(checking, "a dimension of a launch is 0");
}

static bool check_launch(const struct checking *checking, const struct job_step *step)
{
    if (step->kernel >= checking->program->kernel_count)
        return refuse(checking, "no such kernel");
    if (checking->program->statement_count > 0 && step->statement >= checking->program->statement_count)
        return refuse(checking, "no such statement");
    if (!has_dimensions(checking, step->grid) || !has_dimensions(checking, step->block))
        return false;
    for (size_t i = 0; i < step->argument_count; i++) {
        const struct job_argument *argument = &step->arguments[i];
        if (argument->kind != ARGUMENT_SCALAR && !has_range(checking, argument->buffer, argument->offset, 0))
            return false;
    }
    return true;
}

static bool check_copy(const struct checking *checking, const struct job_step *step)
{
    if (!has_range(checking, step->source, step->first, step->count) ||
        !has_range(checking, step->target, step->target_first, step->count))
        return false;
    const struct job_buffer *buffers = checking->one->buffers;
    return buffers[step->source].element == buffers[step->target].element ||
           refuse(checking, "a copy between buffers of different types");
}

static bool check_steps(const struct checking *checking, const struct job_step *steps, size_t count);

static bool check_step(const struct checking *checking, const struct job_step *step)
{
    switch (step->kind) {
    case STEP_LAUNCH:
        return check_launch(checking, step);
    case STEP_COPY_SYMBOL:
        if (step->symbol >= checking->program->symbol_count)
            return refuse(checking, "no such symbol");
        return has_range(checking, step->source, step->first, step->count);
    case STEP_COPY:
        return check_copy(checking, step);
    case STEP_FILL:
        return has_buffer(checking, step->target);
    case STEP_REPEAT:
        return has_range(checking, step->target, 0, 1) && check_steps(checking, step->body, step->body_count);
    }
    return refuse(checking, "no such kind of step");
}

static bool check_steps(const struct checking *checking, const struct job_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!check_step(checking, &steps[i]))
            return false;
    }
    return true;
}

static bool check_buffers(const struct checking *checking)
{
    for (size_t i = 0; i < checking->one->buffer_count; i++) {
        const struct job_buffer *buffer = &checking->one->buffers[i];
        if (buffer->extent > INT64_MAX / element_types[buffer->element].bytes)
            return refuse(checking, "a buffer is too large to address");
    }
    for (size_t i = 0; i < checking->one->check_count; i++) {
        if (!has_buffer(checking, checking->one->checks[i].buffer))
            return false;
    }
    return true;
}

static bool check_case(const struct job *job, const struct job_case *one, struct error *error)
{
    const struct {
        const struct job_program *program;
        struct job_steps steps;
    } sequences[] = {
        {&job->setup, one->setup},
        {&job->program, one->prepare},
        {&job->program, one->launch},
        {&job->reference, one->reference},
    };
    struct checking checking = {.one = one, .error = error};
    if (!check_buffers(&checking))
        return false;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        checking.program = sequences[i].program;
        if (!check_steps(&checking, sequences[i].steps.steps, sequences[i].steps.count))
            return false;
    }
    return true;
}

bool job_check(const struct job *job, struct error *error)
{
    if (!job->program.path)
        return error_set(error, ERROR_SYSTEM, "damaged job: no program");
    return check_case(job, &job->cases[JOB_TUNED], error) &&
           (!job->has_awkward || check_case(job, &job->cases[JOB_AWKWARD], error));
}
