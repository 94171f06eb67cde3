/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_control.h"

#include "tuner/job/late.h"
#include "tuner/job/operand.h"
#include "tuner/lang/function.h"
#include "tuner/lang/node.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- steps inside a step ---- */

/* What names mean, and which counts are known, at some point. */
struct state {
    size_t *names;
    bool *known;
};

static void state_free(struct state *state)
{
    free(state->names);
    free(state->known);
}

static bool state_take(const struct unrolling *unrolling, struct state *state)
{
    size_t bytes = unrolling->now->buffer_count * sizeof *state->names;
    *state = (struct state){malloc(bytes + 1), late_copy(unrolling->lowering)};
    if (!state->names || !state->known) {
        state_free(state);
        lowering_out_of_memory(unrolling->lowering);
        return false;
    }
    memcpy(state->names, unrolling->names, bytes);
    return true;
}

static bool same_names(const struct unrolling *unrolling, const size_t *names)
{
    return memcmp(names, unrolling->names, unrolling->now->buffer_count * sizeof *names) == 0;
}

static void state_restore(struct unrolling *unrolling, const struct state *state)
{
    memcpy(unrolling->names, state->names, unrolling->now->buffer_count * sizeof *state->names);
    late_restore(unrolling->lowering, state->known);
}

static bool lower_inside(struct unrolling *unrolling, const struct block *block, struct job_step **steps,
                         size_t *count)
{
    struct step_list list = {0};
    unrolling->nesting++;
    bool done = unrolling->lower_block(unrolling, block, &list);
    unrolling->nesting--;
    *steps = list.steps;
    *count = list.count;
    return done;
}

/* The steps of two ways on, of which one is taken; `*same`: buffers have the same names behind both. */
static bool lower_ways(struct unrolling *unrolling, const struct statement *statement, const struct state *before,
                       struct job_step *step, bool *same)
{
    struct state behind;
    if (!lower_inside(unrolling, &statement->body, &step->body, &step->body_count) || !state_take(unrolling, &behind))
        return false;
    state_restore(unrolling, before);
    bool done = lower_inside(unrolling, &statement->otherwise, &step->otherwise, &step->otherwise_count);
    *same = done && same_names(unrolling, behind.names);
    late_intersect(unrolling->lowering, behind.known);
    state_free(&behind);
    return done;
}

static void drop_inside(struct job_step *step)
{
    job_steps_free(step->body, step->body_count);
    job_steps_free(step->otherwise, step->otherwise_count);
    step->body = step->otherwise = NULL;
    step->body_count = step->otherwise_count = 0;
}

/* As often as it takes for the names to be the same however it goes on; the second time swaps are steps. */
static bool lower_branches(struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    struct state before;
    bool same = false;
    if (!state_take(unrolling, &before))
        return false;
    bool done = lower_ways(unrolling, statement, &before, step, &same);
    if (done && !same) {
        drop_inside(step);
        state_restore(unrolling, &before);
        unrolling->moves = true;
        done = lower_ways(unrolling, statement, &before, step, &same);
        unrolling->moves = false;
    }
    state_free(&before);
    return done;
}

/* What the condition of a repeat reads may be read in its body for the first time. */
static bool lower_condition(const struct unrolling *unrolling, const struct statement *statement,
                            struct job_step *step)
{
    const struct lowering *lowering = unrolling->lowering;
    bool truth;
    if (!statement->condition)
        return true;
    if (late_is(lowering, statement->condition))
        return operand_late(unrolling, statement, step, (struct job_formula){.use = FORMULA_VALUE},
                            statement->condition);
    if (!lowering_truth(lowering, statement->condition, true, &truth))
        return false;
    error_at(lowering->error, ERROR_INPUT, expr_place(statement->condition),
             "no round changes this condition: it depends on no count");
    return error_hint(lowering->error, "read a count in the loop, or write `for i in range(n)`");
}

/* The same for a body that is repeated; `certain`: it runs at least once. */
static bool lower_rounds(struct unrolling *unrolling, const struct statement *statement, bool certain,
                         struct job_step *step)
{
    struct state before;
    if (!state_take(unrolling, &before))
        return false;
    bool done = lower_inside(unrolling, &statement->body, &step->body, &step->body_count);
    if (done && !same_names(unrolling, before.names)) {
        drop_inside(step);
        state_restore(unrolling, &before);
        unrolling->moves = true;
        done = lower_inside(unrolling, &statement->body, &step->body, &step->body_count);
        unrolling->moves = false;
    }
    done = done && lower_condition(unrolling, statement, step);
    if (!certain)
        late_restore(unrolling->lowering, before.known);
    state_free(&before);
    return done;
}

/* ---- for ---- */

/* One of range(last), range(first, last), range(first, last, stride). */
static bool add_range_part(const struct unrolling *unrolling, const struct statement *statement,
                           struct job_step *step, enum formula_use use, size_t item, uint64_t absent)
{
    const struct lowering *lowering = unrolling->lowering;
    const struct node *root = statement->value->root;
    const struct job_formula formula = {.use = use};
    if (item >= root->count)
        return operand_number(unrolling, statement, step, formula, absent);
    return late_add(lowering, statement->place, step, formula,
                    late_text(lowering, statement->value, root->items[item]));
}

static bool lower_late_for(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    const struct lowering *lowering = unrolling->lowering;
    const struct node *root = statement->value->root;
    if (root->kind != NODE_CALL || root->operation != FUNCTION_RANGE) {
        error_at(lowering->error, ERROR_INPUT, expr_place(statement->value),
                 "a list that depends on counts can only be a range");
        return error_hint(lowering->error,
                          "write `for i in range(first, last, step)`, and what the values are inside");
    }
    struct job_step *step = unrolling_append(unrolling, list, STEP_FOR);
    bool first = root->count > 1;
    return step && add_range_part(unrolling, statement, step, FORMULA_FIRST, first ? 0 : root->count, 0) &&
           late_set(lowering, statement->place, step, statement->slot, value_integer(0)) &&
           add_range_part(unrolling, statement, step, FORMULA_LAST, first ? 1 : 0, 0) &&
           add_range_part(unrolling, statement, step, FORMULA_STRIDE, 2, 1) &&
           lower_rounds(unrolling, statement, false, step);
}

bool step_for_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    const struct lowering *lowering = unrolling->lowering;
    struct value *values = NULL;
    size_t count;
    if (late_is(lowering, statement->value))
        return lower_late_for(unrolling, statement, list);
    if (!lowering_list(lowering, statement->value, &values, &count))
        return false;
    bool done = true;
    for (size_t i = 0; i < count && done; i++) {
        unrolling_set(unrolling, statement->slot, values[i]);
        done = unrolling_spend(unrolling, statement) && unrolling->lower_block(unrolling, &statement->body, list);
    }
    unrolling_set(unrolling, statement->slot, (struct value){.kind = VALUE_UNSET});
    free(values);
    return done;
}

/* ---- if ---- */

static bool lower_late_if(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    struct job_step *step = unrolling_append(unrolling, list, STEP_IF);
    return step &&
           operand_late(unrolling, statement, step, (struct job_formula){.use = FORMULA_VALUE}, statement->value) &&
           lower_branches(unrolling, statement, step);
}

bool step_if_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    bool truth;
    if (late_is(unrolling->lowering, statement->value))
        return lower_late_if(unrolling, statement, list);
    return lowering_truth(unrolling->lowering, statement->value, true, &truth) &&
           unrolling->lower_block(unrolling, truth ? &statement->body : &statement->otherwise, list);
}

/* ---- repeat ---- */

static bool lower_flag(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step)
{
    const struct job_buffer *flag = unrolling_buffer(unrolling, statement->buffer, statement->place, &step->target);
    if (!flag)
        return false;
    return flag->extent > 0 || job_is_late(unrolling->now, step->target) ||
           error_at(unrolling->lowering->error, ERROR_INPUT, statement->place,
                    "buffer %s is empty and cannot be a condition", flag->name);
}

bool step_repeat_lower(struct unrolling *unrolling, const struct statement *statement, struct step_list *list)
{
    int64_t rounds;
    struct job_step *step = unrolling_append(unrolling, list, statement->condition ? STEP_WHILE : STEP_REPEAT);
    if (!step || (!statement->condition && !lower_flag(unrolling, statement, step)) ||
        !operand_integer(unrolling, statement, step, (struct job_formula){.use = FORMULA_ROUNDS}, statement->value, 0,
                         &rounds))
        return false;
    if (rounds < 0)
        return error_at(unrolling->lowering->error, ERROR_INPUT, expr_place(statement->value),
                        "the repeat count is negative (%" PRId64 ")", rounds);
    step->rounds = (uint64_t)rounds;
    if (statement->numbered &&
        !late_set(unrolling->lowering, statement->place, step, statement->slot, value_integer(0)))
        return false;
    return lower_rounds(unrolling, statement, rounds > 0, step);
}
