/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/check.h"

#include "tuner/job/formula.h"
#include "tuner/job/texture.h"

struct checking {
    const struct job *job;
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

static bool has_texels(const struct checking *checking, const struct job_argument *argument)
{
    const struct dimensions extent = argument->texture.extent;
    uint64_t plane = (uint64_t)extent.x * extent.y, texels;
    struct texel texel;
    bool fits = !__builtin_mul_overflow(plane, (uint64_t)extent.z, &texels) && has_dimensions(checking, extent) &&
                has_range(checking, argument->buffer, 0, texels);
    return (fits && texture_texel(checking->one->buffers[argument->buffer].layout, &texel)) ||
           refuse(checking, "a texture that its buffer does not hold");
}

static bool check_argument(const struct checking *checking, const struct job_argument *argument)
{
    if (argument->kind == ARGUMENT_SCALAR)
        return true;
    if (argument->kind == ARGUMENT_TEXTURE || argument->kind == ARGUMENT_SURFACE)
        return has_texels(checking, argument);
    if (argument->kind != ARGUMENT_COMPOUND)
        return has_range(checking, argument->buffer, argument->offset, 0);
    const struct job_compound *compound = argument->compound;
    for (size_t i = 0; i < compound->pointer_count; i++) {
        const struct job_argument *pointer = &compound->pointers[i];
        if (pointer->at > compound->bytes || compound->bytes - pointer->at < sizeof(uint64_t))
            return refuse(checking, "a pointer lies outside of its argument");
        if (!has_range(checking, pointer->buffer, pointer->offset, 0))
            return false;
    }
    return true;
}

/* Of a late buffer it is checked when the step runs. */
static bool has_late_range(const struct checking *checking, size_t buffer, uint64_t first, uint64_t count)
{
    return has_buffer(checking, buffer) &&
           (job_is_late(checking->one, buffer) || has_range(checking, buffer, first, count));
}

static bool has_formula(const struct checking *checking, const struct job_step *step, enum formula_use use)
{
    return formula_of(step, use) || refuse(checking, "a formula is missing");
}

static bool sets_name(const struct checking *checking, const struct job_step *step)
{
    return (step->late && step->late->slot < checking->job->name_count) || refuse(checking, "no such name");
}

/* If it has a name for them. */
static bool numbers_rounds(const struct checking *checking, const struct job_step *step)
{
    return !step->late || !step->late->name || sets_name(checking, step);
}

static bool check_swap(const struct checking *checking, const struct job_step *step)
{
    if (!has_buffer(checking, step->target) || !has_buffer(checking, step->source))
        return false;
    const struct job_buffer *a = &checking->one->buffers[step->target], *b = &checking->one->buffers[step->source];
    bool same = layout_equal(a->layout, b->layout) &&
                job_is_late(checking->one, step->target) == job_is_late(checking->one, step->source) &&
                a->extent == b->extent;
    return same || refuse(checking, "a swap of unlike buffers");
}

static bool fits_argument(const struct job_step *step, const struct job_formula *formula)
{
    if (formula->use < FORMULA_ARGUMENT)
        return true;
    if (formula->index >= step->argument_count)
        return false;
    const struct job_argument *argument = &step->arguments[formula->index];
    const struct job_compound *compound = argument->kind == ARGUMENT_COMPOUND ? argument->compound : NULL;
    switch (formula->use) {
    case FORMULA_ARGUMENT:
        return argument->kind == ARGUMENT_SCALAR;
    case FORMULA_OFFSET:
        return argument->kind <= ARGUMENT_MAGNITUDE;
    case FORMULA_PART:
        return compound && formula->at < compound->bytes &&
               compound->bytes - formula->at >= element_types[formula->element].bytes;
    case FORMULA_POINTER:
        return compound && formula->at < compound->pointer_count;
    default:
        return false;
    }
}

static bool check_formulas(const struct checking *checking, const struct job_step *step)
{
    for (size_t i = 0; step->late && i < step->late->formula_count; i++) {
        if (!fits_argument(step, &step->late->formulas[i]))
            return refuse(checking, "a formula without its argument");
    }
    return true;
}

static bool check_launch(const struct checking *checking, const struct job_step *step)
{
    if (step->kernel >= checking->program->kernel_count)
        return refuse(checking, "no such kernel");
    if (checking->program->statement_count > 0 && step->statement >= checking->program->statement_count)
        return refuse(checking, "no such statement");
    if (!has_dimensions(checking, step->grid) || !has_dimensions(checking, step->block) ||
        (step->cluster.x && !has_dimensions(checking, step->cluster)))
        return false;
    for (size_t i = 0; i < step->argument_count; i++) {
        if (!check_argument(checking, &step->arguments[i]))
            return false;
    }
    return check_formulas(checking, step);
}

static bool check_copy(const struct checking *checking, const struct job_step *step)
{
    if (!has_range(checking, step->source, step->first, step->count) ||
        !has_range(checking, step->target, step->target_first, step->count))
        return false;
    const struct job_buffer *buffers = checking->one->buffers;
    return layout_equal(buffers[step->source].layout, buffers[step->target].layout) ||
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
        return has_late_range(checking, step->target, 0, 1) && numbers_rounds(checking, step);
    case STEP_WAIT:
        return true;
    case STEP_READ:
        return has_late_range(checking, step->target, step->first, 1) && sets_name(checking, step);
    case STEP_LET:
        return sets_name(checking, step) && has_formula(checking, step, FORMULA_VALUE);
    case STEP_IF:
        return has_formula(checking, step, FORMULA_VALUE);
    case STEP_WHILE:
        return has_formula(checking, step, FORMULA_VALUE) && numbers_rounds(checking, step);
    case STEP_FOR:
        return sets_name(checking, step) && has_formula(checking, step, FORMULA_FIRST) &&
               has_formula(checking, step, FORMULA_LAST) && has_formula(checking, step, FORMULA_STRIDE);
    case STEP_SWAP:
        return check_swap(checking, step);
    case STEP_ALLOCATE:
        return has_buffer(checking, step->target) && has_formula(checking, step, FORMULA_VALUE) &&
               (job_is_late(checking->one, step->target) || refuse(checking, "a buffer that exists is allocated"));
    }
    return refuse(checking, "no such kind of step");
}

static bool check_steps(const struct checking *checking, const struct job_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!check_step(checking, &steps[i]) || !check_steps(checking, steps[i].body, steps[i].body_count) ||
            !check_steps(checking, steps[i].otherwise, steps[i].otherwise_count))
            return false;
    }
    return true;
}

/* Do the elements of an array of a matrix have such a layout? */
static bool has_array(const struct layout *layout, enum matrix_array array)
{
    const size_t most = array == MATRIX_VALUES || array == MATRIX_DENSE ? 2 : 1;
    return array == MATRIX_NONE || (layout_is_array(layout) && layout->leaf_count <= most);
}

static bool check_buffers(const struct checking *checking)
{
    for (size_t i = 0; i < checking->one->buffer_count; i++) {
        const struct job_buffer *buffer = &checking->one->buffers[i];
        if (buffer->extent > INT64_MAX / buffer->layout->bytes)
            return refuse(checking, "a buffer is too large to address");
        bool own = buffer->role == BUFFER_TEMP || buffer->role == BUFFER_SCRATCH;
        if (job_is_late(checking->one, i) && !own)
            return refuse(checking, "a buffer without its extent");
        if (job_is_hosted(checking->one, i) && !own)
            return refuse(checking, "a buffer that is not the host's");
        const struct job_data *data = job_data_of(checking->one, i);
        if ((buffer->initial == INITIAL_FILE) != (data != NULL) || (data && data->count != buffer->extent))
            return refuse(checking, "a buffer without its data");
        if (data && !has_array(buffer->layout, data->array))
            return refuse(checking, "a buffer that holds no array of a matrix");
    }
    return true;
}

static bool check_check(const struct checking *checking, const struct job_check *check)
{
    if (!has_range(checking, check->buffer, check->first, check->count))
        return false;
    if (check->late && (!formula_in(check->late, FORMULA_FIRST) || !formula_in(check->late, FORMULA_LAST)))
        return refuse(checking, "a range without its formulas");
    const struct job_buffer *buffer = &checking->one->buffers[check->buffer];
    size_t leaves = buffer->layout->leaf_count;
    if (check->first_leaf > leaves || check->leaf_count > leaves - check->first_leaf ||
        (check->first_leaf > 0 && check->leaf_count == 0))
        return refuse(checking, "a check of a field that its buffer does not have");
    if (check->unordered && !layout_is_scalar(buffer->layout))
        return refuse(checking, "an unordered check of what has no order");
    const struct job_data *expected = &check->expected;
    if (check->below && (check->unordered || expected->path))
        return refuse(checking, "expected values that nothing is compared with");
    if (expected->path && (expected->count > buffer->extent || !has_array(buffer->layout, expected->array)))
        return refuse(checking, "expected values of another kind");
    return true;
}

static bool check_checks(const struct checking *checking)
{
    for (size_t i = 0; i < checking->one->check_count; i++) {
        if (!check_check(checking, &checking->one->checks[i]))
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
        {&job->setup, one->setup},    {&job->program, one->prepare}, {&job->program, one->launch},
        {&job->program, one->finish}, {&job->verify, one->verify},   {&job->reference, one->reference},
    };
    struct checking checking = {.job = job, .one = one, .error = error};
    if (!check_buffers(&checking) || !check_checks(&checking))
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
