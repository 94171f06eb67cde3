/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_plan.h - how the evaluations of a sweep over many sizes are shared out among them.
 *
 * Sizes are visited farthest first (T. Gonzalez, "Clustering to minimize the maximum intercluster distance",
 * Theoretical Computer Science 38, 1985): the most central one, then always that which is farthest from all before,
 * so that those visited cover the set at any time. The first few, one and a half times the square root of
 * all, get half of the budget; the others begin with what was good there, and get a few evaluations each. An eighth
 * of the budget is kept to measure the configurations that the end is about where they may matter.
 */
#ifndef TUNE_ENGINE_SET_PLAN_H
#define TUNE_ENGINE_SET_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SET_ANCHORS_MOST = 16, SET_VISIT_LEAST = 4 /* evaluations that are worth a visit */ };

/* The order of `count` sizes, given nearness[a * count + b], 1 for equal ones and falling. False: out of memory. */
bool set_plan_order(const double *nearness, size_t count, size_t *order);

/* How many of them are searched in earnest. */
size_t set_plan_anchors(size_t count);

/* In how many passes, when each of them gets so many evaluations in all (0: only time is limited). Each pass knows
 * what all before it have found, at all of them, but must be worth the visit. */
int set_plan_passes(uint64_t evaluations);

/* Evaluations where the user gives no budget. */
uint64_t set_plan_default_budget(size_t count);

/* The shares of the budget, of evaluations or time, after which each stage ends: anchors, then the others. */
struct set_shares {
    double anchors, others;
};
struct set_shares set_plan_shares(size_t count);

#endif
