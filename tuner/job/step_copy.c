/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_copy.h"

#include "tuner/job/late.h"
#include "tuner/job/operand.h"
#include "tuner/job/program.h"
#include "tuner/job/scalar.h"
#include "tuner/job/step_stream.h"

#include <inttypes.h>
#include <string.h>

static bool range_is_late(const struct unrolling *unrolling, const struct statement *statement, size_t source)
{
    const struct lowering *lowering = unrolling->lowering;
    return job_is_late(unrolling->now, source) || late_is(lowering, statement->first) ||
           late_is(lowering, statement->last);
}

static bool add_part(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step,
                     enum formula_use use, const struct expr *expr)
{
    const struct job_formula formula = {.use = use};
    return expr ? operand_late(unrolling, statement, step, formula, expr)
                : operand_number(unrolling, statement, step, formula, 0);
}

/* If one of the ends is known late, both are checked late. */
static bool lower_late_range(const struct unrolling *unrolling, const struct statement *statement,
                             struct job_step *step)
{
    const struct job_formula last = {.use = FORMULA_LAST};
    return add_part(unrolling, statement, step, FORMULA_FIRST, statement->first) &&
           (statement->last ? operand_late(unrolling, statement, step, last, statement->last)
                            : operand_extent(unrolling, statement->place, step, last, step->source));
}

/* The elements [first, last) of the source. */
static bool lower_range(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    const struct job_buffer *source = unrolling_buffer(unrolling, statement->buffer, statement->place, &step->source);
    int64_t first, last;
    if (!source)
        return false;
    if (step->late || range_is_late(unrolling, statement, step->source))
        return lower_late_range(unrolling, statement, step);
    if (!lowering_integer(unrolling->lowering, statement->first, 0, &first) ||
        !lowering_integer(unrolling->lowering, statement->last, (int64_t)source->extent, &last))
        return false;
    if (first < 0 || last < first || (uint64_t)last > source->extent)
        return error_at(unrolling->lowering->error, ERROR_INPUT, statement->place,
                        "%s[%" PRId64 " : %" PRId64 "] is not a range of the buffer, which has %" PRIu64 " elements",
                        source->name, first, last, source->extent);
    step->first = (uint64_t)first;
    step->count = (uint64_t)(last - first);
    return true;
}

static bool lower_target(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    const struct job_buffer *target = unrolling_buffer(unrolling, statement->other, statement->place, &step->target);
    int64_t at;
    if (!target || !unrolling_may_write(unrolling, statement, target))
        return false;
    if (step->late)
        return add_part(unrolling, statement, step, FORMULA_AT, statement->at);
    if (!lowering_integer(unrolling->lowering, statement->at, 0, &at))
        return false;
    if (at < 0 || (uint64_t)at > target->extent || step->count > target->extent - (uint64_t)at)
        return error_at(unrolling->lowering->error, ERROR_INPUT, statement->place,
                        "%" PRIu64 " elements at %s[%" PRId64 "] do not fit in the buffer, which has %" PRIu64
                        " elements",
                        step->count, target->name, at, target->extent);
    uint64_t from = step->first, to = (uint64_t)at;
    if (step->target == step->source && from < to + step->count && to < from + step->count)
        return error_at(unrolling->lowering->error, ERROR_INPUT, statement->place,
                        "the source and target of the copy within buffer %s overlap", target->name);
    step->target_first = to;
    return true;
}

/* It is known to be empty: nothing has been allocated for it. */
static void drop_empty(struct step_list *list)
{
    const struct job_step *last = &list->steps[list->count - 1];
    if (last->count == 0 && !last->late)
        list->count--;
}

/* Does it depend on counts where the copy goes? */
static bool target_is_late(const struct unrolling *unrolling, const struct statement *statement)
{
    size_t buffer = unrolling->names[statement->other];
    return job_is_late(unrolling->now, buffer) || late_is(unrolling->lowering, statement->at);
}

bool step_copy_symbol_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    struct job_program *program = unrolling->program;
    struct job_step *step = unrolling_append(unrolling, list, STEP_COPY_SYMBOL);
    if (!step)
        return false;
    if (!program_name(&program->symbols, &program->symbol_count, statement->name, &step->symbol))
        return lowering_out_of_memory(unrolling->lowering);
    if (!lower_range(unrolling, statement, step) || !step_stream_lower(unrolling, statement, step))
        return false;
    drop_empty(list);
    return true;
}

bool step_copy_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    struct job_step *step = unrolling_append(unrolling, list, STEP_COPY);
    if (!step ||
        (target_is_late(unrolling, statement) && !late_name(unrolling->lowering, statement->place, step, NULL)) ||
        !lower_range(unrolling, statement, step) || !lower_target(unrolling, statement, step) ||
        !step_stream_lower(unrolling, statement, step))
        return false;
    drop_empty(list);
    return true;
}

/* A value as the bits of all leaves. Those of different types have only 0 in common. */
static bool lower_filling(const struct unrolling *unrolling, const struct statement *statement,
                          const struct job_buffer *target, struct value value, struct job_step *step)
{
    static const unsigned char zeros[8];
    struct error *error = unrolling->lowering->error;
    const struct layout *layout = target->layout;
    bool array = layout_is_array(layout);
    for (size_t leaf = 0; leaf < layout->leaf_count;) {
        struct leaf_run run = layout_run(layout, leaf, layout->leaf_count);
        if (!scalar_convert(value, run.element, expr_place(statement->value), step->bytes, error))
            return false;
        if (!array && memcmp(step->bytes, zeros, sizeof zeros) != 0) {
            error_at(error, ERROR_INPUT, expr_place(statement->value),
                     "the fields of %s differ in type or have padding between them, and can only be filled with 0",
                     target->name);
            return error_hint(error, "write other values in a kernel");
        }
        leaf += run.count;
    }
    return true;
}

bool step_fill_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    struct job_step *step = unrolling_append(unrolling, list, STEP_FILL);
    struct value value;
    if (!step)
        return false;
    const struct job_buffer *target = unrolling_buffer(unrolling, statement->buffer, statement->place, &step->target);
    return target && unrolling_may_write(unrolling, statement, target) &&
           lowering_value(unrolling->lowering, statement->value, &value) &&
           lower_filling(unrolling, statement, target, value, step) && step_stream_lower(unrolling, statement, step);
}
