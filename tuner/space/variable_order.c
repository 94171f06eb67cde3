/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/variable_order.h"

#include "tuner/space/monotony.h"
#include "tuner/space/term_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BEAM = 12,       /* partial orders kept per length, */
    NARROW_BEAM = 3, /* and in groups of more than NARROW_FROM variables */
    NARROW_FROM = 24,
    GROUP_LIMIT = 64, /* larger groups stay in declared order */
    TRIALS = 64,
};

static const double GAIN = 0.75; /* another order must cost less than this fraction of the declared one */

struct ordering {
    const struct model *model;
    size_t *group;     /* by variable: its parent in a union-find forest */
    size_t *some;      /* by term: one of the variables that it depends on */
    uint64_t *masks;   /* by term: the variables of the current group that it depends on */
    uint64_t *solving; /* by requirement: those among them that it determines once the others are known */
    uint8_t *monotony; /* by term */
    double *distinct;  /* by term: an estimate of how many values it has */
    double *passing;   /* by requirement: the fraction that it lets pass */
    uint32_t *visited; /* by term: the last visit to it */
    uint32_t visit;
    const size_t *members; /* of the current group */
    size_t member_count;
};

static size_t find_group(size_t *group, size_t variable)
{
    while (group[variable] != variable)
        variable = group[variable] = group[group[variable]];
    return variable;
}

static void unite(size_t *group, size_t one, size_t other)
{
    size_t a = find_group(group, one), b = find_group(group, other);
    group[a > b ? a : b] = a > b ? b : a;
}

/* Put the variables below a term into one group. */
static void join(struct ordering *o, term_id id)
{
    const struct term *term = &o->model->terms.items[id];
    if (o->visited[id] == o->visit)
        return;
    o->visited[id] = o->visit;
    for (uint32_t i = 0; i < term->count; i++) {
        term_id operand = term_operands(&o->model->terms, term)[i];
        if (o->model->support[operand] == SUPPORT_NONE)
            continue;
        unite(o->group, o->some[id], o->some[operand]);
        join(o, operand);
    }
}

/* Put the variables that a requirement reads into one group. */
static void join_variables(struct ordering *o)
{
    const struct model *model = o->model;
    for (size_t t = 0; t < model->terms.count; t++) {
        const struct term *term = &model->terms.items[t];
        o->some[t] = term->kind == TERM_VARIABLE ? term->index : 0;
        for (uint32_t i = 0; i < term->count; i++) {
            term_id operand = term_operands(&model->terms, term)[i];
            if (model->support[operand] != SUPPORT_NONE)
                o->some[t] = o->some[operand];
        }
    }
    o->visit++;
    for (size_t r = 0; r < model->requirement_count; r++)
        join(o, model->requirements[r]);
}

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

static void evaluate_cone(struct ordering *o, term_id id, struct value *values)
{
    const struct term *term = &o->model->terms.items[id];
    if (o->visited[id] == o->visit)
        return;
    o->visited[id] = o->visit;
    if (term->kind == TERM_VARIABLE)
        return;
    for (uint32_t i = 0; i < term->count; i++)
        evaluate_cone(o, term_operands(&o->model->terms, term)[i], values);
    values[id] = term_value(&o->model->terms, id, values);
}

/* Estimate from random assignments which fraction each requirement lets pass. */
static bool try_requirements(struct ordering *o)
{
    const struct model *model = o->model;
    uint64_t random = 1;
    struct value *values = calloc(model->terms.count + 1, sizeof *values);
    if (!values)
        return false;
    for (size_t r = 0; r < model->requirement_count; r++)
        o->passing[r] = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        for (size_t v = 0; v < model->variable_count; v++) {
            const struct model_variable *variable = &model->variables[v];
            size_t chosen = variable->alive[next_random(&random) % variable->alive_count];
            if (variable->term >= 0)
                values[variable->term] = variable->values[chosen];
        }
        o->visit++;
        for (size_t r = 0; r < model->requirement_count; r++) {
            evaluate_cone(o, model->requirements[r], values);
            struct value truth = values[model->requirements[r]];
            o->passing[r] += truth.kind == VALUE_UNSET || truth.boolean;
        }
    }
    for (size_t r = 0; r < model->requirement_count; r++)
        o->passing[r] /= TRIALS + 2;
    free(values);
    return true;
}

/* Estimate how many values a term has: at most the product over its operands, at most the integers in its range. */
static void count_distinct(struct ordering *o)
{
    const struct model *model = o->model;
    for (size_t t = 0; t < model->terms.count; t++) {
        const struct term *term = &model->terms.items[t];
        double count = 1;
        for (uint32_t i = 0; i < term->count; i++)
            count *= o->distinct[term_operands(&model->terms, term)[i]];
        if (term->kind == TERM_VARIABLE)
            count = (double)model->variables[term->index].alive_count;
        else if (term->kind == TERM_FOREIGN)
            count = INFINITY;
        else if (term_is_truth(term))
            count = fmin(count, 2);
        if (term->range.kinds == RANGE_INTEGER)
            count = fmin(count, term->range.high - term->range.low + 1);
        o->distinct[t] = count;
    }
}

static void make_masks(struct ordering *o)
{
    const struct model *model = o->model;
    for (size_t t = 0; t < model->terms.count; t++) {
        const struct term *term = &model->terms.items[t];
        o->masks[t] = 0;
        for (size_t i = 0; i < o->member_count && term->kind == TERM_VARIABLE; i++) {
            if (o->members[i] == term->index)
                o->masks[t] = (uint64_t)1 << i;
        }
        for (uint32_t i = 0; i < term->count; i++)
            o->masks[t] |= o->masks[term_operands(&model->terms, term)[i]];
    }
}

/* An equality whose difference is monotone in a variable is found by bisection instead of trying all values. */
static void find_solving(struct ordering *o)
{
    const struct model *model = o->model;
    memset(o->solving, 0, model->requirement_count * sizeof *o->solving);
    for (size_t i = 0; i < o->member_count; i++) {
        bool found = false;
        for (size_t r = 0; r < model->requirement_count; r++) {
            const struct term *term = &model->terms.items[model->requirements[r]];
            if (term->kind != TERM_COMPARE || term->operation != COMPARE_EQUAL || term->range.fails ||
                !(o->masks[model->requirements[r]] >> i & 1))
                continue;
            if (!found)
                monotony_find(&model->terms, o->members[i], o->monotony);
            found = true;
            const term_id *sides = term_operands(&model->terms, term);
            uint8_t difference = monotony_of_difference(o->monotony[sides[0]], o->monotony[sides[1]]);
            if (difference == MONOTONY_RISING || difference == MONOTONY_FALLING)
                o->solving[r] |= (uint64_t)1 << i;
        }
    }
}

/* How many values of a member are tried once the known ones have values. */
static double tries(const struct ordering *o, uint64_t known, size_t member)
{
    const struct model *model = o->model;
    double count = (double)model->variables[o->members[member]].alive_count;
    for (size_t r = 0; r < model->requirement_count; r++) {
        uint64_t others = o->masks[model->requirements[r]] & ~((uint64_t)1 << member);
        if (o->solving[r] >> member & 1 && (others & ~known) == 0)
            return fmin(count, 2 * log2(count) + 2);
    }
    return count;
}

/* Estimate how many states of the known parts of a term there are. */
static double frontier(struct ordering *o, term_id id, uint64_t known, uint64_t *reached)
{
    const struct term *term = &o->model->terms.items[id];
    uint64_t mask = o->masks[id];
    if ((mask & known) == 0 || o->visited[id] == o->visit)
        return 1;
    o->visited[id] = o->visit;
    if ((mask & ~known) == 0) {
        *reached |= mask;
        return o->distinct[id];
    }
    double product = 1;
    for (uint32_t i = 0; i < term->count; i++)
        product *= frontier(o, term_operands(&o->model->terms, term)[i], known, reached);
    return product;
}

/* Estimate how many distinct states there are once these variables have values. */
static double states(struct ordering *o, uint64_t known)
{
    const struct model *model = o->model;
    double product = 1, assignments = 1, passing = 1;
    uint64_t reached = 0;
    o->visit++;
    for (size_t r = 0; r < model->requirement_count; r++) {
        if (o->masks[model->requirements[r]] & ~known)
            product *= frontier(o, model->requirements[r], known, &reached);
    }
    for (size_t i = 0; i < o->member_count; i++) {
        if (reached >> i & 1)
            assignments *= (double)model->variables[o->members[i]].alive_count;
    }
    for (size_t r = 0; r < model->requirement_count; r++) {
        uint64_t mask = o->masks[model->requirements[r]];
        if (mask && (mask & ~reached) == 0)
            passing *= o->passing[r];
    }
    return fmax(1, fmin(product, assignments) * passing);
}

struct partial_order {
    uint64_t known;
    double cost, states;
    uint8_t sequence[GROUP_LIMIT];
};

/* Keep the best order of each set of variables, and the `beam` best sets. */
static void keep(struct partial_order *next, size_t *count, size_t beam, const struct partial_order *one)
{
    size_t at = 0, worst = 0;
    while (at < *count && next[at].known != one->known)
        at++;
    if (at < *count) {
        if (one->cost < next[at].cost)
            next[at] = *one;
        return;
    }
    if (*count < beam) {
        next[(*count)++] = *one;
        return;
    }
    for (size_t i = 1; i < *count; i++) {
        if (next[i].cost >= next[worst].cost)
            worst = i;
    }
    if (one->cost < next[worst].cost)
        next[worst] = *one;
}

/* The order with one more variable. */
static struct partial_order followed(struct ordering *o, const struct partial_order *from, size_t length,
                                     size_t member)
{
    struct partial_order one = *from;
    one.known |= (uint64_t)1 << member;
    one.sequence[length] = (uint8_t)member;
    one.cost += from->states * tries(o, from->known, member);
    one.states = states(o, one.known);
    one.cost += one.states; /* a memo lookup each */
    return one;
}

static void extend(struct ordering *o, const struct partial_order *from, size_t length, struct partial_order *next,
                   size_t *count)
{
    for (size_t i = 0; i < o->member_count; i++) {
        if (from->known >> i & 1)
            continue;
        struct partial_order one = followed(o, from, length, i);
        keep(next, count, o->member_count > NARROW_FROM ? NARROW_BEAM : BEAM, &one);
    }
}

static double declared_cost(struct ordering *o)
{
    struct partial_order order = {.states = 1};
    for (size_t i = 0; i < o->member_count; i++)
        order = followed(o, &order, i, i);
    return order.cost;
}

/* Beam search for the order of a group's members; keep the declared one unless that gains enough. */
static void order_group(struct ordering *o, size_t *order)
{
    struct partial_order beams[2][BEAM];
    size_t count = 1;
    make_masks(o);
    find_solving(o);
    beams[0][0] = (struct partial_order){.states = 1};
    for (size_t length = 0; length < o->member_count; length++) {
        size_t next_count = 0;
        for (size_t i = 0; i < count; i++)
            extend(o, &beams[length % 2][i], length, beams[(length + 1) % 2], &next_count);
        count = next_count;
    }
    const struct partial_order *best = &beams[o->member_count % 2][0];
    bool gains = best->cost < GAIN * declared_cost(o);
    for (size_t i = 0; i < o->member_count; i++)
        order[i] = o->members[gains ? best->sequence[i] : i];
}

static void order_groups(struct ordering *o, size_t *members, size_t *order, size_t *group_of)
{
    size_t level = 0, count = o->model->variable_count;
    for (size_t v = 0; v < count; v++) {
        if (find_group(o->group, v) != v)
            continue;
        o->member_count = 0;
        for (size_t w = v; w < count; w++) {
            if (find_group(o->group, w) == v)
                members[o->member_count++] = w;
        }
        o->members = members;
        if (o->member_count > 1 && o->member_count <= GROUP_LIMIT)
            order_group(o, order + level);
        else
            memcpy(order + level, members, o->member_count * sizeof *members);
        for (size_t i = 0; i < o->member_count; i++)
            group_of[level + i] = v;
        level += o->member_count;
    }
}

bool variable_order(const struct model *model, size_t *order, size_t *group_of)
{
    bool done = false;
    size_t terms = model->terms.count + 1, variables = model->variable_count + 1;
    struct ordering o = {.model = model};
    size_t *members = calloc(variables, sizeof *members);
    o.group = calloc(variables, sizeof *o.group);
    o.some = calloc(terms, sizeof *o.some);
    o.masks = calloc(terms, sizeof *o.masks);
    o.distinct = calloc(terms, sizeof *o.distinct);
    o.solving = calloc(model->requirement_count + 1, sizeof *o.solving);
    o.monotony = calloc(terms, sizeof *o.monotony);
    o.passing = calloc(model->requirement_count + 1, sizeof *o.passing);
    o.visited = calloc(terms, sizeof *o.visited);
    if (!members || !o.group || !o.some || !o.masks || !o.solving || !o.monotony || !o.distinct || !o.passing ||
        !o.visited)
        goto end;
    for (size_t v = 0; v < model->variable_count; v++)
        o.group[v] = v;
    join_variables(&o);
    if (!try_requirements(&o))
        goto end;
    count_distinct(&o);
    order_groups(&o, members, order, group_of);
    done = true;
end:
    free(members);
    free(o.group);
    free(o.some);
    free(o.masks);
    free(o.solving);
    free(o.monotony);
    free(o.distinct);
    free(o.passing);
    free(o.visited);
    return done;
}
