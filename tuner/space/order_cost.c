/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/order_cost.h"

#include "tuner/space/monotony.h"
#include "tuner/space/term_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 64 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

static void evaluate_cone(struct order_cost *cost, term_id id, struct value *values)
{
    const struct term *term = &cost->model->terms.items[id];
    if (cost->visited[id] == cost->visit)
        return;
    cost->visited[id] = cost->visit;
    if (term->kind == TERM_VARIABLE)
        return;
    for (uint32_t i = 0; i < term->count; i++)
        evaluate_cone(cost, term_operands(&cost->model->terms, term)[i], values);
    values[id] = term_value(&cost->model->terms, id, values);
}

/* Estimate from random assignments which fraction each requirement lets pass. */
static bool try_requirements(struct order_cost *cost)
{
    const struct model *model = cost->model;
    uint64_t random = 1;
    struct value *values = calloc(model->terms.count + 1, sizeof *values);
    if (!values)
        return false;
    for (size_t r = 0; r < model->requirement_count; r++)
        cost->passing[r] = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        for (size_t v = 0; v < model->variable_count; v++) {
            const struct model_variable *variable = &model->variables[v];
            size_t chosen = variable->alive[next_random(&random) % variable->alive_count];
            if (variable->term >= 0)
                values[variable->term] = variable->values[chosen];
        }
        cost->visit++;
        for (size_t r = 0; r < model->requirement_count; r++) {
            evaluate_cone(cost, model->requirements[r], values);
            struct value truth = values[model->requirements[r]];
            cost->passing[r] += truth.kind == VALUE_UNSET || truth.boolean;
        }
    }
    for (size_t r = 0; r < model->requirement_count; r++)
        cost->passing[r] /= TRIALS + 2;
    free(values);
    return true;
}

/* Estimate how many values a term has: at most the product over its operands, at most the integers in its range. */
static void count_distinct(struct order_cost *cost)
{
    const struct model *model = cost->model;
    for (size_t t = 0; t < model->terms.count; t++) {
        const struct term *term = &model->terms.items[t];
        double count = 1;
        for (uint32_t i = 0; i < term->count; i++)
            count *= cost->distinct[term_operands(&model->terms, term)[i]];
        if (term->kind == TERM_VARIABLE)
            count = (double)model->variables[term->index].alive_count;
        else if (term->kind == TERM_FOREIGN)
            count = INFINITY;
        else if (term_is_truth(term))
            count = fmin(count, 2);
        if (term->range.kinds == RANGE_INTEGER)
            count = fmin(count, term->range.high - term->range.low + 1);
        cost->distinct[t] = count;
    }
}

static void make_masks(struct order_cost *cost)
{
    const struct model *model = cost->model;
    for (size_t t = 0; t < model->terms.count; t++) {
        const struct term *term = &model->terms.items[t];
        cost->masks[t] = 0;
        for (size_t i = 0; i < cost->member_count && term->kind == TERM_VARIABLE; i++) {
            if (cost->members[i] == term->index)
                cost->masks[t] = (uint64_t)1 << i;
        }
        for (uint32_t i = 0; i < term->count; i++)
            cost->masks[t] |= cost->masks[term_operands(&model->terms, term)[i]];
    }
}

/* An equality whose difference is monotone in a variable is found by bisection instead of trying all values. */
static void find_solving(struct order_cost *cost)
{
    const struct model *model = cost->model;
    memset(cost->solving, 0, model->requirement_count * sizeof *cost->solving);
    for (size_t i = 0; i < cost->member_count; i++) {
        bool found = false;
        for (size_t r = 0; r < model->requirement_count; r++) {
            const struct term *term = &model->terms.items[model->requirements[r]];
            if (term->kind != TERM_COMPARE || term->operation != COMPARE_EQUAL || term->range.fails ||
                !(cost->masks[model->requirements[r]] >> i & 1))
                continue;
            if (!found)
                monotony_find(&model->terms, cost->members[i], cost->monotony);
            found = true;
            const term_id *sides = term_operands(&model->terms, term);
            uint8_t difference = monotony_of_difference(cost->monotony[sides[0]], cost->monotony[sides[1]]);
            if (difference == MONOTONY_RISING || difference == MONOTONY_FALLING)
                cost->solving[r] |= (uint64_t)1 << i;
        }
    }
}

double order_cost_tries(const struct order_cost *cost, uint64_t known, size_t member)
{
    const struct model *model = cost->model;
    double count = (double)model->variables[cost->members[member]].alive_count;
    for (size_t r = 0; r < model->requirement_count; r++) {
        uint64_t others = cost->masks[model->requirements[r]] & ~((uint64_t)1 << member);
        if (cost->solving[r] >> member & 1 && (others & ~known) == 0)
            return fmin(count, 2 * log2(count) + 2);
    }
    return count;
}

/* Estimate how many states of the known parts of a term there are. */
static double frontier(struct order_cost *cost, term_id id, uint64_t known, uint64_t *reached)
{
    const struct term *term = &cost->model->terms.items[id];
    uint64_t mask = cost->masks[id];
    if ((mask & known) == 0 || cost->visited[id] == cost->visit)
        return 1;
    cost->visited[id] = cost->visit;
    if ((mask & ~known) == 0) {
        *reached |= mask;
        return cost->distinct[id];
    }
    double product = 1;
    for (uint32_t i = 0; i < term->count; i++)
        product *= frontier(cost, term_operands(&cost->model->terms, term)[i], known, reached);
    return product;
}

double order_cost_states(struct order_cost *cost, uint64_t known)
{
    const struct model *model = cost->model;
    double product = 1, assignments = 1, passing = 1;
    uint64_t reached = 0;
    cost->visit++;
    for (size_t r = 0; r < model->requirement_count; r++) {
        if (cost->masks[model->requirements[r]] & ~known)
            product *= frontier(cost, model->requirements[r], known, &reached);
    }
    for (size_t i = 0; i < cost->member_count; i++) {
        if (reached >> i & 1)
            assignments *= (double)model->variables[cost->members[i]].alive_count;
    }
    for (size_t r = 0; r < model->requirement_count; r++) {
        uint64_t mask = cost->masks[model->requirements[r]];
        if (mask && (mask & ~reached) == 0)
            passing *= cost->passing[r];
    }
    return fmax(1, fmin(product, assignments) * passing);
}

void order_cost_level(struct order_cost *cost, uint64_t known, size_t member, double *work, double *states)
{
    *work += *states * order_cost_tries(cost, known, member);
    *states = order_cost_states(cost, known | (uint64_t)1 << member);
    *work += *states;
}

bool order_cost_create(struct order_cost *cost, const struct model *model)
{
    size_t terms = model->terms.count + 1, requirements = model->requirement_count + 1;
    *cost = (struct order_cost){.model = model,
                                .masks = calloc(terms, sizeof *cost->masks),
                                .solving = calloc(requirements, sizeof *cost->solving),
                                .monotony = calloc(terms, sizeof *cost->monotony),
                                .distinct = calloc(terms, sizeof *cost->distinct),
                                .passing = calloc(requirements, sizeof *cost->passing),
                                .visited = calloc(terms, sizeof *cost->visited)};
    if (!cost->masks || !cost->solving || !cost->monotony || !cost->distinct || !cost->passing || !cost->visited ||
        !try_requirements(cost)) {
        order_cost_clear(cost);
        return false;
    }
    count_distinct(cost);
    return true;
}

void order_cost_clear(struct order_cost *cost)
{
    free(cost->masks);
    free(cost->solving);
    free(cost->monotony);
    free(cost->distinct);
    free(cost->passing);
    free(cost->visited);
    *cost = (struct order_cost){0};
}

void order_cost_set_group(struct order_cost *cost, const size_t *members, size_t count)
{
    cost->members = members;
    cost->member_count = count;
    make_masks(cost);
    find_solving(cost);
}
