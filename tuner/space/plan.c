/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/plan.h"

#include "tuner/space/monotony.h"

#include <stdlib.h>
#include <string.h>

struct planning {
    struct plan *plan;
    const struct terms *terms;
    const struct model *model;
    const size_t *group_of; /* by level */
    size_t *level_of;       /* by term: the level from which on it is known, counted from 1; 0: a constant */
    size_t *first_level;    /* by term: the level from which on something of it is known */
    uint32_t *slot_of;      /* by term: where its range is found now */
    size_t *changed;        /* by term: the level that last changed its range */
    bool *cone;             /* by term: does a requirement depend on it that is open now? */
    bool *known;            /* by term: has its value been made a range? */
    bool *ready;            /* by term: is its value made on its level? */
    uint32_t *visited;      /* by term, while keys are made */
    term_id *trail;         /* terms visited, in order */
    size_t trail_count;
    size_t key_limit;  /* of all keys: at more the level's key is made without skips */
    uint8_t *monotony; /* by term: in the variable of this level */
    bool failed;
};

static const size_t NEVER = SIZE_MAX;

static void *append(struct planning *p, void **items, size_t *count, size_t *capacity, size_t size)
{
    if (*count == *capacity) {
        size_t larger = *capacity ? 2 * *capacity : 32;
        void *moved = realloc(*items, larger * size);
        if (!moved) {
            p->failed = true;
            return NULL;
        }
        *items = moved;
        *capacity = larger;
    }
    return (char *)*items + size * (*count)++;
}

static void add_step(struct planning *p, struct plan_step step)
{
    struct plan *plan = p->plan;
    struct plan_step *added =
        append(p, (void **)&plan->steps, &plan->step_count, &plan->step_capacity, sizeof *plan->steps);
    if (added)
        *added = step;
}

static size_t add_key(struct planning *p, struct key_step key)
{
    struct plan *plan = p->plan;
    struct key_step *added =
        append(p, (void **)&plan->keys, &plan->key_count, &plan->key_capacity, sizeof *plan->keys);
    if (added)
        *added = key;
    return plan->key_count - 1;
}

static void find_levels(struct planning *p, const size_t *order)
{
    for (size_t t = 0; t < p->terms->count; t++) {
        const struct term *term = &p->terms->items[t];
        const term_id *operands = term_operands(p->terms, term);
        p->level_of[t] = 0;
        p->first_level[t] = NEVER;
        p->slot_of[t] = (uint32_t)t;
        p->changed[t] = 0;
        for (size_t l = 0; l < p->model->variable_count && term->kind == TERM_VARIABLE; l++) {
            if (order[l] == term->index)
                p->level_of[t] = p->first_level[t] = l + 1;
        }
        for (uint32_t i = 0; i < term->count; i++) {
            if (p->level_of[operands[i]] > p->level_of[t])
                p->level_of[t] = p->level_of[operands[i]];
            if (p->first_level[operands[i]] < p->first_level[t])
                p->first_level[t] = p->first_level[operands[i]];
        }
    }
}

/* Have the value of a term made, which is known on this level. */
static void need(struct planning *p, term_id id)
{
    struct plan *plan = p->plan;
    const struct term *term = &p->terms->items[id];
    if (p->ready[id] || term->kind == TERM_CONSTANT)
        return;
    p->ready[id] = true;
    if (p->model->tables[id]) {
        term_id *added = append(p, (void **)&plan->tabulated, &plan->tabulated_count, &plan->tabulated_capacity,
                                sizeof *plan->tabulated);
        if (added)
            *added = id;
        return;
    }
    for (uint32_t i = 0; i < term->count; i++)
        need(p, term_operands(p->terms, term)[i]);
    add_step(p, (struct plan_step){.kind = STEP_VALUE, .term = id});
}

/* Mark what an open requirement depends on, and make what has become known of it on this level. */
static void mark(struct planning *p, term_id id, size_t level)
{
    const struct term *term = &p->terms->items[id];
    if (p->cone[id])
        return;
    p->cone[id] = true;
    if (p->level_of[id] <= level) {
        if (p->level_of[id] == level)
            need(p, id);
        return;
    }
    for (uint32_t i = 0; i < term->count; i++)
        mark(p, term_operands(p->terms, term)[i], level);
}

/* The slot of a term's range; that of a term that is known is made now, unless it has been. */
static uint32_t slot_of(struct planning *p, term_id id, size_t level)
{
    if (p->level_of[id] > level || p->known[id] || p->level_of[id] == 0)
        return p->slot_of[id];
    p->known[id] = true;
    p->slot_of[id] = (uint32_t)p->plan->slot_count++;
    add_step(p, (struct plan_step){.kind = STEP_KNOWN, .term = id, .slot = p->slot_of[id]});
    return p->slot_of[id];
}

static void add_source(struct planning *p, uint32_t slot)
{
    struct plan *plan = p->plan;
    uint32_t *source =
        append(p, (void **)&plan->sources, &plan->source_count, &plan->source_capacity, sizeof *plan->sources);
    if (source)
        *source = slot;
}

/* Narrow a term that is known in part, if this level tells something new of an operand. */
static void narrow(struct planning *p, term_id id, size_t level)
{
    struct plan *plan = p->plan;
    const struct term *term = &p->terms->items[id];
    const term_id *operands = term_operands(p->terms, term);
    bool news = false;
    for (uint32_t i = 0; i < term->count; i++)
        news = news || p->level_of[operands[i]] == level || p->changed[operands[i]] == level;
    if (!news || term->kind == TERM_FOREIGN)
        return;
    struct plan_step step = {.kind = STEP_RANGE, .term = id, .sources = (uint32_t)plan->source_count};
    for (uint32_t i = 0; i < term->count; i++) {
        uint32_t slot = slot_of(p, operands[i], level);
        add_source(p, slot);
    }
    step.slot = p->slot_of[id] = (uint32_t)plan->slot_count++;
    p->changed[id] = level;
    add_step(p, step);
}

/* Are a variable's values numbers that go one way? */
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

/* Of a test that fails, how it moves along the variable's values. */
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

static void find_trends(struct planning *p, size_t first_step, size_t variable)
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
            add_source(p, p->slot_of[term_operands(p->terms, &p->terms->items[step->term])[i]]);
    }
}

static void plan_steps(struct planning *p, size_t level)
{
    const struct model *model = p->model;
    memset(p->cone, 0, p->terms->count * sizeof *p->cone);
    for (size_t r = 0; r < model->requirement_count; r++) {
        term_id id = model->requirements[r];
        if (p->level_of[id] != level)
            continue;
        need(p, id);
        add_step(p, (struct plan_step){.kind = STEP_REQUIRE, .term = id});
    }
    for (size_t r = 0; r < model->requirement_count; r++) {
        if (p->level_of[model->requirements[r]] > level && p->first_level[model->requirements[r]] <= level)
            mark(p, model->requirements[r], level);
    }
    for (size_t t = 0; t < p->terms->count; t++) {
        if (p->cone[t] && p->level_of[t] > level)
            narrow(p, (term_id)t, level);
    }
    for (size_t r = 0; r < model->requirement_count; r++) {
        term_id id = model->requirements[r];
        if (p->level_of[id] > level && p->changed[id] == level)
            add_step(p, (struct plan_step){.kind = STEP_EXPECT, .term = id, .slot = p->slot_of[id]});
    }
}

static void visit(struct planning *p, term_id id)
{
    p->visited[id] = 1;
    p->trail[p->trail_count++] = id;
}

/* What was visited on a way that may be skipped counts as not visited. */
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

/* b if a else c, where a is known: one of the branches does not matter. */
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
    bool skips = p->key_limit != NEVER;
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

/* Different prefixes have different keys if the key always has the variables of the group so far themselves. */
static bool may_merge(const struct planning *p, size_t level, size_t first_key)
{
    const struct plan *plan = p->plan;
    size_t found = 0, wanted = 0;
    for (size_t l = level; l-- > 0 && p->group_of[l] == p->group_of[level - 1];)
        wanted++;
    for (size_t k = first_key; k < plan->key_count; k++) {
        const struct key_step *key = &plan->keys[k];
        if (key->kind == KEY_UNLESS || key->kind == KEY_BRANCH)
            break; /* what follows is not always there */
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

/* What several terms share is in a key once for each way that may be skipped: terms that share and nest deeply have
 * more ways than can be written down. Then the key has all that is known of them, each once. */
static void plan_keys(struct planning *p, size_t level)
{
    struct plan *plan = p->plan;
    size_t first = plan->key_count;
    p->key_limit = first + 4 * p->terms->count;
    plan_open_requirements(p, level);
    if (plan->key_count > p->key_limit) {
        plan->key_count = first;
        p->key_limit = NEVER;
        plan_open_requirements(p, level);
    }
    plan->levels[level - 1].keys = first;
    plan->levels[level - 1].keys_end = plan->key_count;
    plan->levels[level - 1].memoise = may_merge(p, level, first);
    if (2 * (plan->key_count - first) > plan->key_width)
        plan->key_width = 2 * (plan->key_count - first);
}

static void plan_levels(struct planning *p, const size_t *order)
{
    struct plan *plan = p->plan;
    for (size_t level = 1; level <= plan->level_count && !p->failed; level++) {
        struct plan_level *l = &plan->levels[level - 1];
        l->variable = order[level - 1];
        l->tables = plan->tabulated_count;
        l->steps = plan->step_count;
        plan_steps(p, level);
        find_trends(p, l->steps, l->variable);
        l->tables_end = plan->tabulated_count;
        l->steps_end = plan->step_count;
        plan_keys(p, level);
    }
}

bool plan_create(struct plan *plan, const struct model *model, const size_t *order, const size_t *group_of)
{
    size_t count = model->terms.count + 1;
    struct planning p = {.plan = plan, .terms = &model->terms, .model = model, .group_of = group_of};
    *plan = (struct plan){.model = model, .level_count = model->variable_count, .slot_count = model->terms.count};
    plan->levels = calloc(plan->level_count + 1, sizeof *plan->levels);
    p.level_of = calloc(count, sizeof *p.level_of);
    p.first_level = calloc(count, sizeof *p.first_level);
    p.slot_of = calloc(count, sizeof *p.slot_of);
    p.changed = calloc(count, sizeof *p.changed);
    p.cone = calloc(count, sizeof *p.cone);
    p.known = calloc(count, sizeof *p.known);
    p.ready = calloc(count, sizeof *p.ready);
    p.visited = calloc(count, sizeof *p.visited);
    p.trail = calloc(count, sizeof *p.trail);
    p.monotony = calloc(count, sizeof *p.monotony);
    p.failed = !plan->levels || !p.level_of || !p.first_level || !p.slot_of || !p.changed || !p.cone || !p.known ||
               !p.ready || !p.visited || !p.trail || !p.monotony;
    if (!p.failed) {
        find_levels(&p, order);
        plan_levels(&p, order);
    }
    free(p.level_of);
    free(p.first_level);
    free(p.slot_of);
    free(p.changed);
    free(p.cone);
    free(p.known);
    free(p.ready);
    free(p.visited);
    free(p.trail);
    free(p.monotony);
    if (p.failed)
        plan_clear(plan);
    return !p.failed;
}

void plan_clear(struct plan *plan)
{
    free(plan->levels);
    free(plan->tabulated);
    free(plan->steps);
    free(plan->keys);
    free(plan->sources);
    *plan = (struct plan){0};
}
