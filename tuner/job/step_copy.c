/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_copy.h"

#include "tuner/job/program.h"
#include "tuner/job/scalar.h"
#include "tuner/job/step_stream.h"

#include <inttypes.h>
#include <string.h>

/* The elements [first, last) of the source. */
static bool lower_range(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    const struct job_buffer *source = unrolling_buffer(unrolling, statement->buffer, &step->source);
    int64_t first, last;
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
    const struct job_buffer *target = unrolling_buffer(unrolling, statement->other, &step->target);
    int64_t at;
    if (!unrolling_may_write(unrolling, statement, target) ||
        !lowering_integer(unrolling->lowering, statement->at, 0, &at))
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

static void drop_empty(struct step_list *list)
{
    if (list->steps[list->count - 1].count == 0)
        list->count--;
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
    if (!step || !lower_range(unrolling, statement, step) || !lower_target(unrolling, statement, step) ||
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
    const struct job_buffer *target = unrolling_buffer(unrolling, statement->buffer, &step->target);
    return unrolling_may_write(unrolling, statement, target) &&
           lowering_value(unrolling->lowering, statement->value, &value) &&
           lower_filling(unrolling, statement, target, value, step) && step_stream_lower(unrolling, statement, step);
}
