/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/steps.h"

#include "tuner/job/step_copy.h"
#include "tuner/job/step_launch.h"
#include "tuner/job/step_stream.h"
#include "tuner/space/slots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool lower_block(struct unrolling *unrolling, const struct block *block, struct step_list *list);

static bool spend(struct unrolling *unrolling, const struct statement *statement)
{
    if (++unrolling->spent <= STEPS_LIMIT)
        return true;
    error_at(unrolling->lowering->error, ERROR_INPUT, statement->place, "the sequence has more than %d steps",
             STEPS_LIMIT);
    return error_hint(unrolling->lowering->error, "loops are unrolled; do more work per launch");
}

static bool lower_let(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    (void)list;
    return lowering_value(unrolling->lowering, statement->value, &unrolling->lowering->slots[statement->slot]);
}

static bool lower_for(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    const struct lowering *lowering = unrolling->lowering;
    struct value *values = NULL;
    size_t count;
    if (!expr_list(statement->value, lowering->slots, &values, &count, lowering->error))
        return slots_blame(lowering->template, lowering->space, statement->value, lowering->slots, lowering->error);
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        lowering->slots[statement->slot] = values[i];
        done = spend(unrolling, statement) && lower_block(unrolling, &statement->body, list);
    }
    lowering->slots[statement->slot] = (struct value){.kind = VALUE_UNSET};
    free(values);
    return done;
}

static bool lower_if(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    bool truth;
    return lowering_truth(unrolling->lowering, statement->value, true, &truth) &&
           lower_block(unrolling, truth ? &statement->body : &statement->otherwise, list);
}

static bool lower_swap(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    (void)list;
    size_t a, b;
    const struct job_buffer *first = unrolling_buffer(unrolling, statement->buffer, &a);
    const struct job_buffer *second = unrolling_buffer(unrolling, statement->other, &b);
    if (first->extent != second->extent)
        return error_at(unrolling->lowering->error, ERROR_INPUT, statement->place,
                        "buffers %s and %s differ in size and cannot be swapped: %" PRIu64 " and %" PRIu64
                        " elements",
                        first->name, second->name, first->extent, second->extent);
    if (!unrolling_may_write(unrolling, statement, first) || !unrolling_may_write(unrolling, statement, second))
        return false;
    unrolling->names[statement->buffer] = b;
    unrolling->names[statement->other] = a;
    return true;
}

static bool lower_round(struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    size_t bytes = unrolling->now->buffer_count * sizeof *unrolling->names;
    size_t *before = malloc(bytes + 1);
    if (!before)
        return lowering_out_of_memory(unrolling->lowering);
    memcpy(before, unrolling->names, bytes);
    struct step_list body = {0};
    bool done = lower_block(unrolling, &statement->body, &body);
    step->body = body.steps;
    step->body_count = body.count;
    if (done && memcmp(before, unrolling->names, bytes) != 0)
        done = error_at(unrolling->lowering->error, ERROR_INPUT, statement->place,
                        "the body of repeat leaves buffers swapped; its swaps must cancel out");
    free(before);
    return done;
}

static bool lower_repeat(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    int64_t rounds;
    size_t target;
    const struct job_buffer *flag = unrolling_buffer(unrolling, statement->buffer, &target);
    if (!lowering_integer(unrolling->lowering, statement->value, 0, &rounds))
        return false;
    if (rounds < 0)
        return error_at(unrolling->lowering->error, ERROR_INPUT, expr_place(statement->value),
                        "the repeat count is negative (%" PRId64 ")", rounds);
    if (flag->extent == 0)
        return error_at(unrolling->lowering->error, ERROR_INPUT, statement->place,
                        "buffer %s is empty and cannot be a condition", flag->name);
    struct job_step *step = unrolling_append(unrolling, list, STEP_REPEAT);
    if (!step)
        return false;
    step->target = target;
    step->rounds = (uint64_t)rounds;
    return lower_round(unrolling, statement, step);
}

typedef bool statement_lowering(struct unrolling *, const struct statement *, struct step_list *);

static statement_lowering *const lowerings[] = {
    [STATEMENT_LET] = lower_let,
    [STATEMENT_LAUNCH] = step_launch_lower,
    [STATEMENT_COPY_SYMBOL] = step_copy_symbol_lower,
    [STATEMENT_COPY] = step_copy_lower,
    [STATEMENT_FILL] = step_fill_lower,
    [STATEMENT_SWAP] = lower_swap,
    [STATEMENT_FOR] = lower_for,
    [STATEMENT_IF] = lower_if,
    [STATEMENT_REPEAT] = lower_repeat,
    [STATEMENT_WAIT] = step_wait_lower,
};

static bool lower_block(struct unrolling *unrolling, const struct block *block, struct step_list *list)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct statement *statement = &block->statements[i];
        if (!spend(unrolling, statement) || !lowerings[statement->kind](unrolling, statement, list))
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

bool steps_lower(const struct lowering *lowering, const struct sequence *sequence, const struct job_case *now,
                 const size_t *results, struct job_program *program, size_t *swapped, struct job_steps *steps)
{
    size_t *names = malloc((now->buffer_count + 1) * sizeof *names);
    if (!names)
        return lowering_out_of_memory(lowering);
    bool after = sequence == &lowering->template->finish || sequence == &lowering->template->verify;
    for (size_t i = 0; i < now->buffer_count; i++)
        names[i] = after ? results[i] : i;
    struct unrolling unrolling = {.lowering = lowering,
                                  .now = now,
                                  .results = results,
                                  .program = program,
                                  .names = names,
                                  .makes_inputs = sequence == &lowering->template->setup};
    struct step_list list = {0};
    bool done =
        lower_block(&unrolling, &sequence->body, &list) && (swapped || check_swapped(&unrolling, sequence, after));
    if (swapped)
        memcpy(swapped, names, now->buffer_count * sizeof *names);
    steps->steps = list.steps;
    steps->count = list.count;
    free(names);
    return done;
}
