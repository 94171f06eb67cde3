/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_read.h"

#include "tuner/job/late.h"
#include "tuner/job/operand.h"

#include <inttypes.h>

static const struct count_declaration *count_of(const struct template *template, size_t slot)
{
    const struct count_declaration *count = template->counts;
    while (count->slot != slot)
        count++;
    return count;
}

/* Are all counts of the buffer's extent read? */
static bool is_fixed(const struct lowering *lowering, size_t buffer)
{
    for (size_t i = 0; i < lowering->template->count_count; i++) {
        size_t slot = lowering->template->counts[i].slot;
        if (late_extent_reads(lowering, buffer, slot) && !lowering->late->fixed[slot])
            return false;
    }
    return true;
}

bool step_read_allocate(const struct unrolling *unrolling, struct step_list *list)
{
    const struct lowering *lowering = unrolling->lowering;
    for (size_t i = 0; lowering->late && i < unrolling->now->buffer_count; i++) {
        if (!job_is_late(unrolling->now, i) || lowering->late->made[i] || !is_fixed(lowering, i))
            continue;
        struct job_step *step = unrolling_append(unrolling, list, STEP_ALLOCATE);
        if (!step || !operand_extent(unrolling, lowering->template->buffers[i].place, step,
                                     (struct job_formula){.use = FORMULA_VALUE}, i))
            return false;
        step->target = i;
        lowering->late->made[i] = true;
    }
    return true;
}

/* The first buffer whose extent depends on the count; the number of buffers: none. */
static size_t extent_of(const struct unrolling *unrolling, size_t slot)
{
    size_t buffer = 0;
    while (buffer < unrolling->now->buffer_count && !late_extent_reads(unrolling->lowering, buffer, slot))
        buffer++;
    return buffer;
}

static bool fix(const struct unrolling *unrolling, const struct statement *statement, const char *name,
                const char *buffer)
{
    const struct lowering *lowering = unrolling->lowering;
    bool early = unrolling->part == PART_SETUP || unrolling->part == PART_PREPARE;
    const char *wrong = !early                                   ? "it can be read in setup and prepare only"
                        : unrolling->nesting > 0                 ? "it cannot be read in a loop or under a condition"
                        : lowering->late->fixed[statement->slot] ? "it cannot be read twice"
                                                                 : NULL;
    lowering->late->fixed[statement->slot] = true;
    if (!wrong)
        return true;
    error_at(lowering->error, ERROR_INPUT, statement->place, "the extent of %s depends on %s, so %s", buffer, name,
             wrong);
    return error_hint(lowering->error, "read another count, of another name, elsewhere");
}

static bool lower_element(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    int64_t element;
    const struct job_buffer *buffer = unrolling_buffer(unrolling, statement->buffer, statement->place, &step->target);
    if (!buffer || !operand_integer(unrolling, statement, step, (struct job_formula){.use = FORMULA_FIRST},
                                    statement->at, 0, &element))
        return false;
    if (!job_is_late(unrolling->now, step->target) && (element < 0 || (uint64_t)element >= buffer->extent))
        return error_at(unrolling->lowering->error, ERROR_INPUT, expr_place(statement->at),
                        "%s has no element %" PRId64 "; its extent is %" PRIu64, buffer->name, element,
                        buffer->extent);
    if (element < 0)
        return error_at(unrolling->lowering->error, ERROR_INPUT, expr_place(statement->at),
                        "%s has no element %" PRId64, buffer->name, element);
    step->first = (uint64_t)element;
    return true;
}

bool step_read_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    const struct lowering *lowering = unrolling->lowering;
    const struct count_declaration *count = count_of(lowering->template, statement->slot);
    struct job_step *step = unrolling_append(unrolling, list, STEP_READ);
    int64_t most;
    if (!step || !lower_element(unrolling, statement, step) || !lowering_integer(lowering, count->most, 0, &most))
        return false;
    if (most < 0)
        return error_at(lowering->error, ERROR_INPUT, expr_place(count->most),
                        "the bound of %s is negative (%" PRId64 ")", count->name, most);
    step->count = (uint64_t)most;
    size_t buffer = extent_of(unrolling, statement->slot);
    bool decides = buffer < unrolling->now->buffer_count;
    return (!decides || fix(unrolling, statement, count->name, unrolling->now->buffers[buffer].name)) &&
           late_set(lowering, statement->place, step, statement->slot, value_integer(most)) &&
           (!decides || unrolling->part != PART_PREPARE || step_read_allocate(unrolling, list));
}
