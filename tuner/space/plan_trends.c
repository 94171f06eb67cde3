/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/plan_trends.h"

#include "tuner/space/monotony.h"

/* Do a variable's values ascend or descend? */
static enum monotony direction(const struct model_variable *variable)
{
    enum order order = ORDER_NONE;
    for (size_t i = 1; i < variable->alive_count; i++) {
        struct value one = variable->values[variable->alive[i - 1]], next = variable->values[variable->alive[i]];
        enum order step = value_is_number(one) && value_is_number(next) ? arithmetic_order(one, next) : ORDER_NONE;
        if (step == ORDER_NONE || (i > 1 && step != order))
            return MONOTONY_UNKNOWN;
        order = step;
    }
    return order == ORDER_LESS ? MONOTONY_RISING : order == ORDER_GREATER ? MONOTONY_FALLING : MONOTONY_UNKNOWN;
}

/* How a test moves along the variable's values. */
static enum step_trend trend_of(const struct planning *p, term_id id, bool reversed)
{
    const struct term *term = &p->terms->items[id];
    uint8_t monotony = p->monotony[id];
    bool equality = term->kind == TERM_COMPARE && term->operation == COMPARE_EQUAL;
    if (term->range.fails)
        return TREND_NONE;
    if (equality)
        monotony = monotony_of_difference(p->monotony[term_operands(p->terms, term)[0]],
                                          p->monotony[term_operands(p->terms, term)[1]]);
    if (monotony != MONOTONY_RISING && monotony != MONOTONY_FALLING)
        return TREND_NONE;
    bool rising = (monotony == MONOTONY_RISING) != reversed;
    return equality ? (rising ? TREND_RISES : TREND_FALLS) : rising ? TREND_BEGINS : TREND_ENDS;
}

static bool are_positive_integers(const struct model_variable *variable)
{
    for (size_t i = 0; i < variable->alive_count; i++) {
        struct value value = variable->values[variable->alive[i]];
        if (value.kind != VALUE_INTEGER || value.integer < 1)
            return false;
    }
    return true;
}

/* Is it `variable % known == 0` or `known % variable == 0`? The values are positive integers and ascend. */
static void find_divisibility(const struct planning *p, struct plan_step *step, const struct model_variable *variable)
{
    const struct term *term = &p->terms->items[step->term], *zero, *modulo;
    if (term->kind != TERM_COMPARE || term->operation != COMPARE_EQUAL)
        return;
    step->modulo = term_operands(p->terms, term)[0];
    zero = &p->terms->items[term_operands(p->terms, term)[1]];
    modulo = &p->terms->items[step->modulo];
    if (zero->kind != TERM_CONSTANT || zero->constant.kind != VALUE_INTEGER || zero->constant.integer != 0 ||
        modulo->kind != TERM_BINARY || modulo->operation != OPERATION_MODULO)
        return;
    const term_id *operands = term_operands(p->terms, modulo);
    if (operands[0] == (term_id)variable->term && p->monotony[operands[1]] == MONOTONY_CONSTANT)
        step->trend = TREND_MULTIPLES;
    if (operands[1] == (term_id)variable->term && p->monotony[operands[0]] == MONOTONY_CONSTANT)
        step->trend = TREND_DIVISORS;
}

void plan_trends(struct planning *p, size_t first_step, size_t variable)
{
    enum monotony towards = direction(&p->model->variables[variable]);
    if (p->failed || towards == MONOTONY_UNKNOWN)
        return;
    monotony_find(p->terms, variable, p->monotony);
    bool counts = towards == MONOTONY_RISING && are_positive_integers(&p->model->variables[variable]);
    for (size_t s = first_step; s < p->plan->step_count && !p->failed; s++) {
        struct plan_step *step = &p->plan->steps[s];
        if (step->kind != STEP_REQUIRE && step->kind != STEP_EXPECT)
            continue;
        step->trend = (uint8_t)trend_of(p, step->term, towards == MONOTONY_FALLING);
        if (step->kind == STEP_REQUIRE && step->trend == TREND_NONE && counts)
            find_divisibility(p, step, &p->model->variables[variable]);
        if (step->kind == STEP_REQUIRE || step->trend < TREND_RISES)
            continue;
        step->sources = (uint32_t)p->plan->source_count;
        for (uint32_t i = 0; i < 2; i++)
            planning_add_source(p, p->slot_of[term_operands(p->terms, &p->terms->items[step->term])[i]]);
    }
}
