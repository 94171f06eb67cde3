/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/variable_order.h"

#include "tuner/space/order_cost.h"

#include <stdlib.h>
#include <string.h>

enum {
    BEAM = 12,       /* partial orders kept per length, */
    NARROW_BEAM = 3, /* and in groups of more than NARROW_FROM variables */
    NARROW_FROM = 24,
};

static const double GAIN = 0.75; /* another order must cost less than this fraction of the declared one */

struct grouping {
    const struct model *model;
    size_t *group; /* by variable: its parent in a union-find forest */
    size_t *some;  /* by term: one of the variables that it depends on */
    bool *joined;  /* by term */
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
static void join(struct grouping *g, term_id id)
{
    const struct term *term = &g->model->terms.items[id];
    if (g->joined[id])
        return;
    g->joined[id] = true;
    for (uint32_t i = 0; i < term->count; i++) {
        term_id operand = term_operands(&g->model->terms, term)[i];
        if (g->model->support[operand] == SUPPORT_NONE)
            continue;
        unite(g->group, g->some[id], g->some[operand]);
        join(g, operand);
    }
}

/* Put the variables that a requirement reads into one group. */
static void join_variables(struct grouping *g)
{
    const struct model *model = g->model;
    for (size_t t = 0; t < model->terms.count; t++) {
        const struct term *term = &model->terms.items[t];
        g->some[t] = term->kind == TERM_VARIABLE ? term->index : 0;
        for (uint32_t i = 0; i < term->count; i++) {
            term_id operand = term_operands(&model->terms, term)[i];
            if (model->support[operand] != SUPPORT_NONE)
                g->some[t] = g->some[operand];
        }
    }
    for (size_t r = 0; r < model->requirement_count; r++)
        join(g, model->requirements[r]);
}

struct partial_order {
    uint64_t known;
    double cost, states;
    uint8_t sequence[ORDER_COST_MEMBERS];
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
static struct partial_order followed(struct order_cost *o, const struct partial_order *from, size_t length,
                                     size_t member)
{
    struct partial_order one = *from;
    one.known |= (uint64_t)1 << member;
    one.sequence[length] = (uint8_t)member;
    order_cost_level(o, from->known, member, &one.cost, &one.states);
    return one;
}

static void extend(struct order_cost *o, const struct partial_order *from, size_t length, struct partial_order *next,
                   size_t *count)
{
    for (size_t i = 0; i < o->member_count; i++) {
        if (from->known >> i & 1)
            continue;
        struct partial_order one = followed(o, from, length, i);
        keep(next, count, o->member_count > NARROW_FROM ? NARROW_BEAM : BEAM, &one);
    }
}

static double declared_cost(struct order_cost *o)
{
    struct partial_order order = {.states = 1};
    for (size_t i = 0; i < o->member_count; i++)
        order = followed(o, &order, i, i);
    return order.cost;
}

/* Beam search for the order of a group's members; keep the declared one unless that gains enough. */
static void order_group(struct order_cost *o, size_t *order)
{
    struct partial_order beams[2][BEAM];
    size_t count = 1;
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

/* Groups in the order of their first variables, members as declared unless another order gains enough. */
static void order_groups(const struct grouping *g, struct order_cost *cost, size_t *members, size_t *order,
                         size_t *group_of)
{
    size_t level = 0, count = g->model->variable_count;
    for (size_t v = 0; v < count; v++) {
        size_t member_count = 0;
        if (find_group(g->group, v) != v)
            continue;
        for (size_t w = v; w < count; w++) {
            if (find_group(g->group, w) == v)
                members[member_count++] = w;
        }
        memcpy(order + level, members, member_count * sizeof *members);
        if (member_count > 1 && member_count <= ORDER_COST_MEMBERS) {
            order_cost_set_group(cost, members, member_count);
            order_group(cost, order + level);
        }
        for (size_t i = 0; i < member_count; i++)
            group_of[level + i] = v;
        level += member_count;
    }
}

bool variable_order(const struct model *model, size_t *order, size_t *group_of)
{
    struct order_cost cost;
    size_t *members = calloc(model->variable_count + 1, sizeof *members);
    struct grouping g = {.model = model,
                         .group = calloc(model->variable_count + 1, sizeof *g.group),
                         .some = calloc(model->terms.count + 1, sizeof *g.some),
                         .joined = calloc(model->terms.count + 1, sizeof *g.joined)};
    bool done = members && g.group && g.some && g.joined && order_cost_create(&cost, model);
    if (done) {
        for (size_t v = 0; v < model->variable_count; v++)
            g.group[v] = v;
        join_variables(&g);
        order_groups(&g, &cost, members, order, group_of);
        order_cost_clear(&cost);
    }
    free(members);
    free(g.group);
    free(g.some);
    free(g.joined);
    return done;
}
