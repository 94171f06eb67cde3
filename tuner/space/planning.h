/* SPDX-License-Identifier: Apache-2.0 */
/*
 * planning.h - what the parts of the planner share: a plan under construction, and what is known of each term by the
 * level at hand.
 *
 * Levels count from 1 here: a term is known from the level on at which its last variable gets a value; constants are
 * known on level 0.
 */
#ifndef TUNE_SPACE_PLANNING_H
#define TUNE_SPACE_PLANNING_H

#include "tuner/space/plan.h"

struct planning {
    struct plan *plan;
    const struct terms *terms;
    const struct model *model;
    const size_t *group_of; /* by level */

    /* By term */
    size_t *level_of;    /* the level from which on it is known */
    size_t *first_level; /* the level from which on any variable of it is known, or PLANNING_NEVER */
    uint32_t *slot_of;   /* the slot of its range now */
    size_t *changed;     /* the level that last changed its range */
    bool *cone;          /* does an open requirement depend on it? */
    bool *known;         /* does a slot hold its value as a range? */
    bool *ready;         /* is its value computed on its level? */
    uint32_t *visited;   /* plan_keys.c: is it in the key? */
    uint8_t *monotony;   /* plan_trends.c: in the variable of this level */

    term_id *trail; /* plan_keys.c: the visited terms in order */
    size_t trail_count;
    size_t key_limit; /* on the number of keys; beyond it the level gets a key without skips */
    bool failed;      /* out of memory */
};

#define PLANNING_NEVER SIZE_MAX

/* Room for one more element of an array that grows; NULL, and `failed`, when out of memory. */
void *planning_append(struct planning *p, void **items, size_t *count, size_t *capacity, size_t size);

/* Add a slot to plan->sources. */
void planning_add_source(struct planning *p, uint32_t slot);

#endif
