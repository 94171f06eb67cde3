/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/late_step.h"

#include "tuner/job/formula.h"
#include "tuner/job/scalar.h"
#include "tuner/measure/instance_run.h"
#include "tuner/measure/launching.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool late_step_locate(const struct job_step *step, struct error *error)
{
    const struct job_late *late = step->late;
    if (!error || !late->file)
        return false;
    const struct job_place *place = &late->place;
    snprintf(error->file, sizeof error->file, "%s", late->file);
    snprintf(error->excerpt, sizeof error->excerpt, "%s", place->excerpt ? place->excerpt : "");
    error->line = place->line;
    error->column = place->column;
    bool visible = place->column > 0 && place->column <= strlen(error->excerpt);
    error->caret = visible ? place->column - 1 : 0;
    error->caret_length = visible ? place->length : 0;
    return false;
}

/* A step that is being resolved. */
struct resolving {
    const struct device_description *limits;
    const struct job_step *step;
    const struct instance *instance;
    struct job_step *now;
    struct error *error;
};

static bool locate(const struct resolving *r)
{
    return late_step_locate(r->step, r->error);
}

static bool integer(const struct resolving *r, const struct job_formula *formula, int64_t *result)
{
    return expr_integer(formula->expr, r->instance->values, result, r->error) || locate(r);
}

/* The number of a formula that the step may have. */
static bool optional(const struct resolving *r, enum formula_use use, int64_t *result)
{
    const struct job_formula *formula = formula_of(r->step, use);
    return !formula || integer(r, formula, result);
}

/* ---- launches ---- */

static bool set_dimension(const struct resolving *r, enum formula_use use, int64_t limit, uint32_t *dimension)
{
    const char axis = (char)('x' + (use - FORMULA_GRID_X));
    const char *kernel = r->step->late->name ? r->step->late->name : "";
    int64_t blocks = *dimension;
    if (!optional(r, use, &blocks))
        return false;
    if (blocks < 1) {
        error_set(r->error, ERROR_INPUT, "kernel %s: the grid's %c is %" PRId64 "; it must be at least 1", kernel,
                  axis, blocks);
        error_hint(r->error, "launch it under a condition: if n > 0 { ... }");
        return locate(r);
    }
    if (blocks > UINT32_MAX || (limit > 0 && blocks > limit)) {
        error_set(r->error, ERROR_RESOURCES,
                  "kernel %s: the grid's %c is %" PRId64 "; the device's limit is %" PRId64, kernel, axis, blocks,
                  limit > 0 ? limit : (int64_t)UINT32_MAX);
        return locate(r);
    }
    *dimension = (uint32_t)blocks;
    return true;
}

static bool set_shared(const struct resolving *r)
{
    const int64_t limit = r->limits->max_shared_per_block_optin;
    const char *kernel = r->step->late->name ? r->step->late->name : "";
    int64_t bytes = (int64_t)r->now->shared;
    if (!optional(r, FORMULA_SHARED, &bytes))
        return false;
    r->now->shared = (uint64_t)bytes;
    if (bytes < 0)
        error_set(r->error, ERROR_INPUT, "kernel %s: the dynamic shared memory is negative (%" PRId64 " bytes)",
                  kernel, bytes);
    else if (limit > 0 && bytes > limit)
        error_set(r->error, ERROR_RESOURCES,
                  "kernel %s: a block needs %" PRId64
                  " bytes of dynamic shared memory; the device's limit is %" PRId64,
                  kernel, bytes, limit);
    else
        return true;
    return locate(r);
}

static bool divides(const struct resolving *r)
{
    const struct dimensions grid = r->now->grid, cluster = r->now->cluster;
    if (cluster.x == 0 || (grid.x % cluster.x == 0 && grid.y % cluster.y == 0 && grid.z % cluster.z == 0))
        return true;
    error_set(r->error, ERROR_RESOURCES, "kernel %s: the grid (%u, %u, %u) is not a multiple of the cluster",
              r->step->late->name ? r->step->late->name : "", grid.x, grid.y, grid.z);
    error_hint(r->error, "round the grid up: round_up(blocks, %u)", cluster.x);
    return locate(r);
}

static bool set_shape(const struct resolving *r)
{
    struct dimensions *grid = &r->now->grid;
    return set_dimension(r, FORMULA_GRID_X, r->limits->max_grid_x, &grid->x) &&
           set_dimension(r, FORMULA_GRID_Y, r->limits->max_grid_y, &grid->y) &&
           set_dimension(r, FORMULA_GRID_Z, r->limits->max_grid_z, &grid->z) && set_shared(r) && divides(r);
}

static bool set_offset(const struct resolving *r, const struct job_formula *formula, struct job_argument *pointer)
{
    const struct instance_buffer *buffer = &r->instance->buffers[pointer->buffer];
    int64_t offset;
    if (!integer(r, formula, &offset))
        return false;
    pointer->offset = (uint64_t)offset;
    if (offset >= 0 && (uint64_t)offset <= buffer->extent)
        return true;
    error_set(r->error, ERROR_INPUT, "%s + %" PRId64 " is outside the buffer, which has %" PRIu64 " elements",
              buffer->name, offset, buffer->extent);
    return locate(r);
}

/* A number in its type, little-endian. */
static bool convert(const struct resolving *r, const struct job_formula *formula, enum element element,
                    unsigned char bytes[8])
{
    struct value value;
    return (expr_evaluate(formula->expr, r->instance->values, &value, r->error) &&
            scalar_convert(value, element, (struct place){0}, bytes, r->error)) ||
           locate(r);
}

static bool set_argument(const struct resolving *r, const struct job_formula *formula)
{
    struct job_argument *argument = &r->now->arguments[formula->index];
    unsigned char bytes[8];
    switch (formula->use) {
    case FORMULA_ARGUMENT:
        return convert(r, formula, argument->element, argument->bytes);
    case FORMULA_OFFSET:
        return set_offset(r, formula, argument);
    case FORMULA_PART:
        if (!convert(r, formula, formula->element, bytes))
            return false;
        memcpy(argument->compound->value + formula->at, bytes, element_types[formula->element].bytes);
        return true;
    case FORMULA_POINTER:
        return set_offset(r, formula, &argument->compound->pointers[formula->at]);
    default:
        return true;
    }
}

static struct job_compound *copy_compound(const struct job_compound *compound)
{
    struct job_compound *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *compound;
    copy->value = malloc(compound->bytes + 1);
    copy->pointers = malloc((compound->pointer_count + 1) * sizeof *copy->pointers);
    if (copy->value)
        memcpy(copy->value, compound->value, compound->bytes);
    if (copy->pointers && compound->pointer_count > 0)
        memcpy(copy->pointers, compound->pointers, compound->pointer_count * sizeof *copy->pointers);
    return copy;
}

/* Arguments of its own for the step that is resolved. */
static bool copy_arguments(const struct resolving *r)
{
    struct job_step *now = r->now;
    bool complete = true;
    now->arguments = calloc(r->step->argument_count + 1, sizeof *now->arguments);
    for (size_t i = 0; now->arguments && i < r->step->argument_count; i++) {
        struct job_argument *argument = &now->arguments[i];
        *argument = r->step->arguments[i];
        if (!argument->compound)
            continue;
        argument->compound = copy_compound(argument->compound);
        complete = complete && argument->compound && argument->compound->value && argument->compound->pointers;
    }
    return (now->arguments && complete) || error_out_of_memory(r->error);
}

static bool resolve_launch(const struct resolving *r)
{
    if (!copy_arguments(r) || !set_shape(r))
        return false;
    for (size_t i = 0; i < r->step->late->formula_count; i++) {
        if (!set_argument(r, &r->step->late->formulas[i]))
            return false;
    }
    return true;
}

/* All blocks of a cooperative launch must fit the device at once. */
static bool check_cooperative(struct validation_kernels *validation, const struct program *program,
                              const struct resolving *r)
{
    struct kernel_resources resources;
    const struct launch_shape shape = launching_shape(r->now);
    if (!r->now->cooperative || r->now->kernel >= program->kernel_count)
        return true;
    return validation->driver->resources(validation->device, program->kernels[r->now->kernel], &shape, &resources,
                                         r->error) ||
           locate(r);
}

/* ---- copies ---- */

static bool outside(const struct resolving *r, const struct instance_buffer *buffer, int64_t first, int64_t last)
{
    error_set(r->error, ERROR_INPUT,
              "%s[%" PRId64 " : %" PRId64 "] is not a range of the buffer, which has %" PRIu64 " elements",
              buffer->name, first, last, buffer->extent);
    return locate(r);
}

static bool resolve_range(const struct resolving *r)
{
    const struct instance_buffer *source = &r->instance->buffers[r->step->source];
    int64_t first = (int64_t)r->step->first, last = first + (int64_t)r->step->count;
    if (!optional(r, FORMULA_FIRST, &first) || !optional(r, FORMULA_LAST, &last))
        return false;
    if (first < 0 || last < first || (uint64_t)last > source->extent)
        return outside(r, source, first, last);
    r->now->first = (uint64_t)first;
    r->now->count = (uint64_t)(last - first);
    return true;
}

static bool resolve_copy(const struct resolving *r)
{
    const struct instance_buffer *target = &r->instance->buffers[r->step->target];
    int64_t at = (int64_t)r->step->target_first;
    if (!resolve_range(r) || !optional(r, FORMULA_AT, &at))
        return false;
    uint64_t from = r->now->first, to = (uint64_t)at, count = r->now->count;
    if (at < 0 || to > target->extent || count > target->extent - to) {
        error_set(r->error, ERROR_INPUT,
                  "%" PRIu64 " elements at %s[%" PRId64 "] do not fit in the buffer, which has %" PRIu64 " elements",
                  count, target->name, at, target->extent);
        return locate(r);
    }
    if (r->step->target == r->step->source && from < to + count && to < from + count) {
        error_set(r->error, ERROR_INPUT, "the source and target of the copy within buffer %s overlap", target->name);
        return locate(r);
    }
    r->now->target_first = to;
    return true;
}

/* ---- others ---- */

static bool resolve_read(const struct resolving *r)
{
    const struct instance_buffer *buffer = &r->instance->buffers[r->step->target];
    int64_t element = (int64_t)r->step->first;
    if (!optional(r, FORMULA_FIRST, &element))
        return false;
    r->now->first = (uint64_t)element;
    if (element >= 0 && (uint64_t)element < buffer->extent)
        return true;
    error_set(r->error, ERROR_INPUT, "%s has no element %" PRId64 "; its extent is %" PRIu64, buffer->name, element,
              buffer->extent);
    return locate(r);
}

static bool resolve_rounds(const struct resolving *r)
{
    int64_t rounds = r->step->rounds > INT64_MAX ? INT64_MAX : (int64_t)r->step->rounds;
    if (!optional(r, FORMULA_ROUNDS, &rounds))
        return false;
    r->now->rounds = (uint64_t)rounds;
    if (rounds >= 0)
        return true;
    error_set(r->error, ERROR_INPUT, "the repeat count is negative (%" PRId64 ")", rounds);
    return locate(r);
}

bool late_step_resolve(struct validation_kernels *validation, const struct program *program,
                       const struct job_step *step, const struct instance *instance, struct job_step *now,
                       struct error *error)
{
    const struct resolving r = {&validation->description, step, instance, now, error};
    *now = *step;
    switch (step->kind) {
    case STEP_LAUNCH:
        return resolve_launch(&r) && check_cooperative(validation, program, &r);
    case STEP_COPY_SYMBOL:
        return resolve_range(&r);
    case STEP_COPY:
        return resolve_copy(&r);
    case STEP_READ:
        return resolve_read(&r);
    case STEP_REPEAT:
    case STEP_WHILE:
        return resolve_rounds(&r);
    default:
        return true;
    }
}

void late_step_release(const struct job_step *step, struct job_step *now)
{
    if (now->arguments == step->arguments)
        return;
    for (size_t i = 0; now->arguments && i < now->argument_count; i++) {
        struct job_compound *compound = now->arguments[i].compound;
        if (!compound)
            continue;
        free(compound->value);
        free(compound->pointers);
        free(compound);
    }
    free(now->arguments);
}

bool late_step_value(const struct job_step *step, const struct instance *instance, struct value *value,
                     struct error *error)
{
    return expr_evaluate(formula_of(step, FORMULA_VALUE)->expr, instance->values, value, error) ||
           late_step_locate(step, error);
}

bool late_step_truth(const struct job_step *step, const struct instance *instance, bool *truth, struct error *error)
{
    struct value value;
    if (!late_step_value(step, instance, &value, error))
        return false;
    *truth = value_truth(value);
    return true;
}

/* How many values there are from first to last, exclusive, stride apart. */
static uint64_t steps_between(int64_t first, int64_t last, int64_t stride)
{
    if (stride > 0 ? first >= last : first <= last)
        return 0;
    uint64_t distance = stride > 0 ? (uint64_t)last - (uint64_t)first : (uint64_t)first - (uint64_t)last;
    uint64_t step = stride > 0 ? (uint64_t)stride : -(uint64_t)stride;
    return (distance - 1) / step + 1;
}

bool late_step_range(const struct job_step *step, const struct instance *instance, struct late_range *range,
                     struct error *error)
{
    const struct resolving r = {.step = step, .instance = instance, .error = error};
    int64_t last;
    if (!integer(&r, formula_of(step, FORMULA_FIRST), &range->first) ||
        !integer(&r, formula_of(step, FORMULA_LAST), &last) ||
        !integer(&r, formula_of(step, FORMULA_STRIDE), &range->stride))
        return false;
    if (range->stride == 0) {
        error_set(error, ERROR_INPUT, "range() with a step of 0");
        return locate(&r);
    }
    range->count = steps_between(range->first, last, range->stride);
    return true;
}

bool late_step_allocate(struct validation_kernels *validation, const struct job_step *step,
                        const struct instance *instance, struct error *error)
{
    const struct resolving r = {.step = step, .instance = instance, .error = error};
    const struct instance_buffer *buffer = &instance->buffers[step->target];
    const int64_t memory = validation->description.memory_bytes;
    int64_t extent, bytes;
    if (!integer(&r, formula_of(step, FORMULA_VALUE), &extent))
        return false;
    if (extent < 0) {
        error_set(error, ERROR_INPUT, "buffer %s has a negative extent (%" PRId64 ")", buffer->name, extent);
        return locate(&r);
    }
    if (__builtin_mul_overflow(extent, (int64_t)buffer->layout->bytes, &bytes) || (memory > 0 && bytes > memory)) {
        error_set(error, ERROR_DOES_NOT_FIT,
                  "buffer %s has %" PRId64 " elements, more than the device's memory holds", buffer->name, extent);
        return locate(&r);
    }
    return instance_allocate(validation, instance, step->target, (uint64_t)extent, error) || locate(&r);
}
