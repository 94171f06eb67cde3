/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/plan_keys.h"

static size_t add_key(struct planning *p, struct key_step key)
{
    struct plan *plan = p->plan;
    struct key_step *added =
        planning_append(p, (void **)&plan->keys, &plan->key_count, &plan->key_capacity, sizeof *plan->keys);
    if (added)
        *added = key;
    return plan->key_count - 1;
}

static void visit(struct planning *p, term_id id)
{
    p->visited[id] = 1;
    p->trail[p->trail_count++] = id;
}

/* Terms visited on a path that may be skipped do not count as visited afterwards. */
static void forget(struct planning *p, size_t trail_count)
{
    while (p->trail_count > trail_count)
        p->visited[p->trail[--p->trail_count]] = 0;
}

static void plan_key(struct planning *p, term_id id, size_t level);

static void plan_operands(struct planning *p, const struct term *term, size_t level)
{
    for (uint32_t i = 0; i < term->count; i++)
        plan_key(p, term_operands(p->terms, term)[i], level);
}

/* b if a else c with a known: only one branch matters. */
static void plan_branches(struct planning *p, const struct term *term, size_t level)
{
    const term_id *operands = term_operands(p->terms, term);
    plan_key(p, operands[0], level);
    size_t branch = add_key(p, (struct key_step){.kind = KEY_BRANCH, .term = operands[0]});
    size_t trail = p->trail_count;
    plan_key(p, operands[1], level);
    forget(p, trail);
    size_t jump = add_key(p, (struct key_step){.kind = KEY_JUMP});
    if (!p->failed)
        p->plan->keys[branch].target = (uint32_t)p->plan->key_count;
    plan_key(p, operands[2], level);
    forget(p, trail);
    if (!p->failed)
        p->plan->keys[jump].target = (uint32_t)p->plan->key_count;
}

static void plan_key(struct planning *p, term_id id, size_t level)
{
    const struct term *term = &p->terms->items[id];
    if (p->first_level[id] > level || p->visited[id] || p->plan->key_count > p->key_limit)
        return;
    bool skips = p->key_limit != PLANNING_NEVER;
    visit(p, id);
    if (p->level_of[id] <= level) {
        bool integer = term->range.kinds == RANGE_INTEGER && !term->range.fails;
        add_key(p, (struct key_step){.kind = integer ? KEY_INTEGER : KEY_VALUE, .term = id});
        return;
    }
    if (skips && term->kind == TERM_CHOICE && p->level_of[term_operands(p->terms, term)[0]] <= level) {
        plan_branches(p, term, level);
        return;
    }
    bool may_be_decided = term_is_truth(term) && p->slot_of[id] != id;
    if (!skips || !may_be_decided) {
        plan_operands(p, term, level);
        return;
    }
    size_t unless = add_key(p, (struct key_step){.kind = KEY_UNLESS, .slot = p->slot_of[id]});
    size_t trail = p->trail_count;
    plan_operands(p, term, level);
    forget(p, trail);
    if (!p->failed)
        p->plan->keys[unless].target = (uint32_t)p->plan->key_count;
}

/* Prefixes cannot merge if the key always has all variables of the group so far. */
static bool may_merge(const struct planning *p, size_t level, size_t first_key)
{
    const struct plan *plan = p->plan;
    size_t found = 0, wanted = 0;
    for (size_t l = level; l-- > 0 && p->group_of[l] == p->group_of[level - 1];)
        wanted++;
    for (size_t k = first_key; k < plan->key_count; k++) {
        const struct key_step *key = &plan->keys[k];
        if (key->kind == KEY_UNLESS || key->kind == KEY_BRANCH)
            break; /* the rest may be skipped */
        found += p->terms->items[key->term].kind == TERM_VARIABLE;
    }
    return found < wanted;
}

static void plan_open_requirements(struct planning *p, size_t level)
{
    for (size_t r = 0; r < p->model->requirement_count; r++) {
        if (p->level_of[p->model->requirements[r]] > level)
            plan_key(p, p->model->requirements[r], level);
    }
    forget(p, 0);
}

/* A shared term is in the key once for each path that may be skipped, and deeply nested terms that share operands
 * have exponentially many paths. In that case the key has all known terms once, without skips. */
void plan_keys(struct planning *p, size_t level)
{
    struct plan *plan = p->plan;
    size_t first = plan->key_count;
    p->key_limit = first + 4 * p->terms->count;
    plan_open_requirements(p, level);
    if (plan->key_count > p->key_limit) {
        plan->key_count = first;
        p->key_limit = PLANNING_NEVER;
        plan_open_requirements(p, level);
    }
    plan->levels[level - 1].keys = first;
    plan->levels[level - 1].keys_end = plan->key_count;
    plan->levels[level - 1].memoise = may_merge(p, level, first);
    if (2 * (plan->key_count - first) > plan->key_width)
        plan->key_width = 2 * (plan->key_count - first);
}
