/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order_cost.h - estimates of how much work an order of variables makes.
 *
 * The work of a level is the number of distinct states that the variables before it can leave, times the number of
 * values that are tried for its own variable. A state is what open requirements need to know of the variables so far
 * (the product of two, say, rather than both). The fraction that a requirement lets pass is estimated from a few
 * dozen random assignments, always the same ones. Estimates are for one group of variables at a time, given as bit
 * masks of its members.
 */
#ifndef TUNE_SPACE_ORDER_COST_H
#define TUNE_SPACE_ORDER_COST_H

#include "tuner/space/model.h"

enum { ORDER_COST_MEMBERS = 64 }; /* the most that a group may have */

struct order_cost {
    const struct model *model;
    uint64_t *masks;   /* by term: the members that it depends on */
    uint64_t *solving; /* by requirement: the members whose value it determines once the others are known */
    uint8_t *monotony; /* by term */
    double *distinct;  /* by term: an estimate of how many values it has */
    double *passing;   /* by requirement: the fraction that it lets pass */
    uint32_t *visited; /* by term: the last visit to it */
    uint32_t visit;
    const size_t *members; /* the variables of the current group */
    size_t member_count;
};

/* False when out of memory. The model must outlive it. */
bool order_cost_create(struct order_cost *cost, const struct model *model);
void order_cost_clear(struct order_cost *cost);

/* Choose the group; `members` must stay. */
void order_cost_set_group(struct order_cost *cost, const size_t *members, size_t count);

/* How many values of a member are tried when those in `known` have values: all, or those that a bisection needs. */
double order_cost_tries(const struct order_cost *cost, uint64_t known, size_t member);

/* How many distinct states there are once the members in `known` have values; at least 1. */
double order_cost_states(struct order_cost *cost, uint64_t known);

/* Add to `*work` that of a level for `member` after those in `known`, which leave `*states` states: trying its values
 * in each, and looking up the states that are left, whose number replaces `*states`. */
void order_cost_level(struct order_cost *cost, uint64_t known, size_t member, double *work, double *states);

#endif
