/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/planner.h"

#include "tuner/space/plan_keys.h"
#include "tuner/space/plan_trends.h"

#include <stdlib.h>
#include <string.h>

static void add_step(struct planning *p, struct plan_step step)
{
    struct plan *plan = p->plan;
    struct plan_step *added =
        planning_append(p, (void **)&plan->steps, &plan->step_count, &plan->step_capacity, sizeof *plan->steps);
    if (added)
        *added = step;
}

static void find_levels(struct planning *p, const size_t *order)
{
    for (size_t t = 0; t < p->terms->count; t++) {
        const struct term *term = &p->terms->items[t];
        const term_id *operands = term_operands(p->terms, term);
        p->level_of[t] = 0;
        p->first_level[t] = PLANNING_NEVER;
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

/* Plan to compute the value of a term that becomes known on this level. */
static void need(struct planning *p, term_id id)
{
    struct plan *plan = p->plan;
    const struct term *term = &p->terms->items[id];
    if (p->ready[id] || term->kind == TERM_CONSTANT)
        return;
    p->ready[id] = true;
    if (p->model->tables[id]) {
        term_id *added = planning_append(p, (void **)&plan->tabulated, &plan->tabulated_count,
                                         &plan->tabulated_capacity, sizeof *plan->tabulated);
        if (added)
            *added = id;
        return;
    }
    for (uint32_t i = 0; i < term->count; i++)
        need(p, term_operands(p->terms, term)[i]);
    add_step(p, (struct plan_step){.kind = STEP_VALUE, .term = id});
}

/* Mark what an open requirement depends on, and compute whatever becomes known of it on this level. */
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

/* The slot of a term's range; a known term gets one when it is first asked for. */
static uint32_t slot_of(struct planning *p, term_id id, size_t level)
{
    if (p->level_of[id] > level || p->known[id] || p->level_of[id] == 0)
        return p->slot_of[id];
    p->known[id] = true;
    p->slot_of[id] = (uint32_t)p->plan->slot_count++;
    add_step(p, (struct plan_step){.kind = STEP_KNOWN, .term = id, .slot = p->slot_of[id]});
    return p->slot_of[id];
}

/* Narrow the range of a term that is known in part, if an operand has changed on this level. */
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
        planning_add_source(p, slot);
    }
    step.slot = p->slot_of[id] = (uint32_t)plan->slot_count++;
    p->changed[id] = level;
    add_step(p, step);
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

static void plan_levels(struct planning *p, const size_t *order)
{
    struct plan *plan = p->plan;
    for (size_t level = 1; level <= plan->level_count && !p->failed; level++) {
        struct plan_level *l = &plan->levels[level - 1];
        l->variable = order[level - 1];
        l->tables = plan->tabulated_count;
        l->steps = plan->step_count;
        plan_steps(p, level);
        plan_trends(p, l->steps, l->variable);
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
