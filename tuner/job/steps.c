/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/steps.h"

#include "tuner/job/late.h"
#include "tuner/job/operand.h"
#include "tuner/job/step_control.h"
#include "tuner/job/step_copy.h"
#include "tuner/job/step_launch.h"
#include "tuner/job/step_read.h"
#include "tuner/job/step_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool lower_let(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    const struct lowering *lowering = unrolling->lowering;
    struct value value;
    if (!late_is(lowering, statement->value)) {
        if (!lowering_value(lowering, statement->value, &value))
            return false;
        unrolling_set(unrolling, statement->slot, value);
        return true;
    }
    struct job_step *step = unrolling_append(unrolling, list, STEP_LET);
    return step &&
           operand_late(unrolling, statement, step, (struct job_formula){.use = FORMULA_VALUE}, statement->value) &&
           late_trial(lowering, step, &value) && late_set(lowering, statement->place, step, statement->slot, value);
}

static bool cannot_swap(const struct unrolling *unrolling, const struct statement *statement, size_t a, size_t b)
{
    const struct job_buffer *first = &unrolling->now->buffers[a], *second = &unrolling->now->buffers[b];
    if (job_is_late(unrolling->now, a) || job_is_late(unrolling->now, b))
        return error_at(unrolling->lowering->error, ERROR_INPUT, statement->place,
                        "buffers %s and %s cannot be swapped: their extents depend on counts in different ways",
                        first->name, second->name);
    return error_at(unrolling->lowering->error, ERROR_INPUT, statement->place,
                    "buffers %s and %s differ in size and cannot be swapped: %" PRIu64 " and %" PRIu64 " elements",
                    first->name, second->name, first->extent, second->extent);
}

/* Late extents are the same if they are computed in the same way. */
static bool same_extent(const struct unrolling *unrolling, size_t a, size_t b)
{
    const struct job_buffer *buffers = unrolling->now->buffers;
    const bool first = job_is_late(unrolling->now, a), second = job_is_late(unrolling->now, b);
    if (!first && !second)
        return buffers[a].extent == buffers[b].extent;
    const struct late *late = unrolling->lowering->late;
    return first && second && strcmp(late->extents[a], late->extents[b]) == 0;
}

/* The buffers exchange their memory when the step runs, so that each keeps its name. */
static bool move(struct unrolling *unrolling, const struct statement *statement, size_t a, size_t b,
                 struct step_list *list)
{
    const struct lowering *lowering = unrolling->lowering;
    if (lowering->textured[a] || lowering->textured[b]) {
        error_at(lowering->error, ERROR_INPUT, statement->place,
                 "%s is read as a texture, which cannot follow a swap in a loop or under a condition",
                 unrolling->now->buffers[lowering->textured[a] ? a : b].name);
        return error_hint(lowering->error, "pass the buffer itself to the kernel");
    }
    struct job_step *step = unrolling_append(unrolling, list, STEP_SWAP);
    if (!step)
        return false;
    step->target = a;
    step->source = b;
    lowering->moved[a] = lowering->moved[b] = true;
    return true;
}

static bool lower_swap(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    size_t a, b;
    const struct job_buffer *first = unrolling_buffer(unrolling, statement->buffer, statement->place, &a);
    const struct job_buffer *second = unrolling_buffer(unrolling, statement->other, statement->place, &b);
    if (!first || !second)
        return false;
    if (!same_extent(unrolling, a, b))
        return cannot_swap(unrolling, statement, a, b);
    if (!unrolling_may_write(unrolling, statement, first) || !unrolling_may_write(unrolling, statement, second))
        return false;
    if (unrolling->moves)
        return move(unrolling, statement, a, b, list);
    unrolling->names[statement->buffer] = b;
    unrolling->names[statement->other] = a;
    return true;
}

typedef bool statement_lowering(struct unrolling *, const struct statement *, struct step_list *);

static statement_lowering *const lowerings[] = {
    [STATEMENT_LET] = lower_let,
    [STATEMENT_LAUNCH] = step_launch_lower,
    [STATEMENT_COPY_SYMBOL] = step_copy_symbol_lower,
    [STATEMENT_COPY] = step_copy_lower,
    [STATEMENT_FILL] = step_fill_lower,
    [STATEMENT_SWAP] = lower_swap,
    [STATEMENT_FOR] = step_for_lower,
    [STATEMENT_IF] = step_if_lower,
    [STATEMENT_REPEAT] = step_repeat_lower,
    [STATEMENT_WAIT] = step_wait_lower,
    [STATEMENT_READ] = step_read_lower,
};

static bool lower_block(struct unrolling *unrolling, const struct block *block, struct step_list *list)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *statement = &block->statements[i];
        if (!unrolling_spend(unrolling, statement) || !lowerings[statement->kind](unrolling, statement, list))
            return false;
    }
    return true;
}

static const struct statement *last_swap(const struct block *block)
{
    const struct statement *last = NULL;
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *statement = &block->statements[i];
        const struct statement *inner = last_swap(&statement->body);
        const struct statement *otherwise = last_swap(&statement->otherwise);
        if (statement->kind == STATEMENT_SWAP)
            last = statement;
        else if (inner || otherwise)
            last = otherwise ? otherwise : inner;
    }
    return last;
}

/* `after`: the launches, whose swaps still hold. */
static bool check_swapped(const struct unrolling *unrolling, const struct sequence *sequence, bool after)
{
    for (size_t i = 0; i < unrolling->now->buffer_count; i++) {
        if (unrolling->names[i] == (after ? unrolling->results[i] : i))
            continue;
        const struct statement *swap = last_swap(&sequence->body);
        error_at(unrolling->lowering->error, ERROR_INPUT, swap->place,
                 "the sequence leaves buffer %s swapped with %s", unrolling->now->buffers[i].name,
                 unrolling->now->buffers[unrolling->names[i]].name);
        return error_hint(unrolling->lowering->error,
                          "only the launches may do that; here the swaps must cancel out");
    }
    return true;
}

static enum part part_of(const struct template *template, const struct sequence *sequence)
{
    const struct sequence *const parts[] = {
        [PART_SETUP] = &template->setup,   [PART_PREPARE] = &template->prepare,
        [PART_LAUNCH] = &template->launch, [PART_FINISH] = &template->finish,
        [PART_VERIFY] = &template->verify, [PART_REFERENCE] = &template->reference,
    };
    size_t part = 0;
    while (parts[part] != sequence)
        part++;
    return (enum part)part;
}

bool steps_lower(const struct lowering *lowering, const struct sequence *sequence, const struct job_case *now,
                 const size_t *results, struct job_program *program, size_t *swapped, struct job_steps *steps)
{
    size_t *names = malloc((now->buffer_count + 1) * sizeof *names);
    if (!names)
        return lowering_out_of_memory(lowering);
    enum part part = part_of(lowering->template, sequence);
    bool after = part == PART_FINISH || part == PART_VERIFY;
    for (size_t i = 0; i < now->buffer_count; i++)
        names[i] = after ? results[i] : i;
    struct unrolling unrolling = {.lowering = lowering,
                                  .now = now,
                                  .results = results,
                                  .program = program,
                                  .names = names,
                                  .part = part,
                                  .lower_block = lower_block};
    struct step_list list = {0};
    bool done = (part != PART_PREPARE || step_read_allocate(&unrolling, &list)) &&
                lower_block(&unrolling, &sequence->body, &list) &&
                (swapped || check_swapped(&unrolling, sequence, after));
    if (swapped)
        memcpy(swapped, names, now->buffer_count * sizeof *names);
    steps->steps = list.steps;
    steps->count = list.count;
    free(names);
    return done;
}
