/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_stages.h"

#include "tuner/engine/set_finals.h"
#include "tuner/engine/set_plan.h"
#include "tuner/engine/set_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MOST = 8 }; /* of choosing and measuring what is missing */

static const double finals_share = 0.1, finals_seconds_least = 2; /* of the time before them; in all at least */
static const double loss_to_measure = 0.1397619423751587; /* log(1.15): behind the best of the choice at a size */

struct stages {
    const struct set_task *task;
    size_t *order;
    struct set_model *model;
    uint64_t *allotted; /* evaluations of the budget, by size */
    uint64_t shared;    /* evaluations of the budget that went to sizes' shares, also by earlier runs */
    struct set_opening opening;
};

static bool must_stop(const struct stages *stages)
{
    return stages->task->must_stop(stages->task->context);
}

/* What remains of a stage that ends after `share` of the budget, for each of `left` sizes. */
static double seconds_each(const struct stages *stages, double share, size_t left)
{
    const struct set_task *task = stages->task;
    if (!(task->seconds > 0))
        return 0;
    return fmax((share * task->seconds - task->seconds_spent(task->context)) / (double)left, 1e-3);
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* However small the budget, one evaluation is made. */
static uint64_t share_of(uint64_t budget, double share)
{
    uint64_t part = (uint64_t)(share * (double)budget);
    return part > 0 ? part : 1;
}

/* ---- the search at each size */

/* Sizes order[from] .. order[to - 1], until `share` of the budget is spent. */
static bool search(struct stages *stages, enum set_stage stage, size_t from, size_t to, double share,
                   struct error *error)
{
    const struct set_task *task = stages->task;
    for (size_t i = from; i < to && !must_stop(stages); i++) {
        size_t size = stages->order[i], left = to - i;
        uint64_t known = task->table->known[size], target = 0,
                 all = problem_configuration_count(task->problems[size]);
        if (task->evaluations > 0) {
            uint64_t end = share_of(task->evaluations, share);
            target = end > stages->shared ? (end - stages->shared + left - 1) / left : 0;
            target = least_of(target, all - stages->allotted[size]);
            stages->shared += target;
            target = stages->allotted[size] += target;
            if (known >= target)
                continue;
        }
        const struct set_visit visit = {.stage = stage,
                                        .number = i - from + 1,
                                        .count = to - from,
                                        .size = size,
                                        .evaluations = target > known ? target - known : 0,
                                        .seconds = seconds_each(stages, share, left),
                                        .opening = &stages->opening};
        if (!set_opening_make(task->table, stages->model, size, task->problems[size], visit.evaluations,
                              &stages->opening, error) ||
            !task->visit(task->context, &visit, error))
            return false;
    }
    return true;
}

/* ---- what is missing in the end */

/* The least that any of these loses at a size, or is expected to. */
static double least_loss(const struct stages *stages, size_t size, const size_t *chosen, size_t count)
{
    double least = cost_table_loss_most;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, cost_table_loss(stages->task->table, chosen[i], size));
    return least;
}

/* A configuration of the choice that is not known at a size is to be measured there; one that its space has not is
 * noted as a failure. */
static bool add_missing(struct stages *stages, size_t size, size_t place, struct error *error)
{
    const struct set_task *task = stages->task;
    const char *configuration = task->table->configurations[place];
    size_t index;
    if (cost_table_knows(task->table, place, size))
        return true;
    if (!problem_configuration_find(task->problems[size], configuration, &index))
        return cost_table_put(task->table, configuration, size, HUGE_VAL, error);
    stages->opening.first[stages->opening.first_count++] = index;
    return true;
}

/* Measure what the opening lists, as far as the budget allows; `*measured`: something was. */
static bool measure(struct stages *stages, size_t number, size_t size, bool *measured, struct error *error)
{
    const struct set_task *task = stages->task;
    uint64_t evaluations = stages->opening.first_count;
    if (task->evaluations > 0) {
        uint64_t left = task->evaluations > stages->shared ? task->evaluations - stages->shared : 0;
        evaluations = least_of(evaluations, left);
        stages->shared += evaluations;
    }
    if (evaluations == 0 || task->table->best[size] == 0)
        return true;
    *measured = true;
    const struct set_visit visit = {.stage = SET_MISSING,
                                    .number = number,
                                    .count = task->set->count,
                                    .size = size,
                                    .evaluations = evaluations,
                                    .seconds = seconds_each(stages, 1, 1),
                                    .opening = &stages->opening};
    return task->visit(task->context, &visit, error);
}

/* Measure the chosen ones wherever they may be the best of the choice. */
static bool measure_promising(struct stages *stages, const size_t *chosen, size_t count, bool *measured,
                              struct error *error)
{
    for (size_t i = 0; i < stages->task->set->count && !must_stop(stages); i++) {
        size_t size = stages->order[i];
        double least = least_loss(stages, size, chosen, count);
        stages->opening = (struct set_opening){0};
        for (size_t c = 0; c < count; c++) {
            if (cost_table_loss(stages->task->table, chosen[c], size) <= least + loss_to_measure &&
                !add_missing(stages, size, chosen[c], error))
                return false;
        }
        if (!measure(stages, i + 1, size, measured, error))
            return false;
    }
    return true;
}

/* The place in the table of what the dispatch answers for a size. */
static size_t answer_for(const struct stages *stages, const struct dispatch *dispatch, size_t size,
                         const size_t *chosen, size_t count)
{
    const struct set_task *task = stages->task;
    size_t answer = 0, place = 0;
    if (!dispatch_answer(dispatch, task->set->texts[size], &answer))
        return chosen[0];
    while (place + 1 < count &&
           strcmp(task->table->configurations[chosen[place]], dispatch->configurations[answer]) != 0)
        place++;
    return chosen[place];
}

/* Measure what the tree would answer. */
static bool measure_answers(struct stages *stages, const size_t *chosen, size_t count, bool *measured,
                            struct error *error)
{
    const struct set_task *task = stages->task;
    struct dispatch *dispatch = NULL;
    bool done = count == 0 || set_result_make(task->table, task->set, true, chosen, count, &dispatch, error);
    for (size_t i = 0; done && dispatch && i < task->set->count && !must_stop(stages); i++) {
        size_t size = stages->order[i];
        stages->opening = (struct set_opening){0};
        done = add_missing(stages, size, answer_for(stages, dispatch, size, chosen, count), error) &&
               measure(stages, i + 1, size, measured, error);
    }
    dispatch_free(dispatch);
    return done;
}

/* Choose, and measure what matters for the choice and is missing, until nothing is. */
static bool complete(struct stages *stages, struct error *error)
{
    const struct set_task *task = stages->task;
    size_t chosen[DISPATCH_CONFIGURATIONS_MOST], count;
    bool measured = true, done = true;
    for (int round = 0; done && measured && round < ROUNDS_MOST && !must_stop(stages); round++) {
        measured = false;
        done =
            set_result_choose(task->table, task->set->weights, true, task->configurations, chosen, &count, error) &&
            measure_promising(stages, chosen, count, &measured, error) &&
            (measured || measure_answers(stages, chosen, count, &measured, error));
    }
    return done;
}

/* ---- finals */

/* One size; `seconds`: for all that are left. */
static bool hold_finals(struct stages *stages, size_t number, const size_t *chosen, size_t count, double seconds,
                        struct error *error)
{
    const struct set_task *task = stages->task;
    size_t size = stages->order[number], left = task->set->count - number;
    stages->opening = (struct set_opening){0};
    if (!set_finals_field(task->table, size, task->problems[size], chosen, count, stages->opening.first,
                          &stages->opening.first_count, error))
        return false;
    const struct set_visit visit = {.stage = SET_FINALS,
                                    .number = number + 1,
                                    .count = task->set->count,
                                    .size = size,
                                    .seconds = seconds / (double)left,
                                    .opening = &stages->opening};
    return stages->opening.first_count == 0 || task->visit(task->context, &visit, error);
}

static bool finish(struct stages *stages, struct error *error)
{
    const struct set_task *task = stages->task;
    size_t chosen[DISPATCH_CONFIGURATIONS_MOST], count;
    double now = task->seconds_spent(task->context), end = now + fmax(finals_share * now, finals_seconds_least);
    if (!task->finals)
        return true;
    if (!set_result_choose(task->table, task->set->weights, true, task->configurations, chosen, &count, error))
        return false;
    for (size_t i = 0; i < task->set->count && now < end && !task->is_interrupted(task->context); i++) {
        if (!hold_finals(stages, i, chosen, count, end - now, error))
            return false;
        now = task->seconds_spent(task->context);
    }
    return true;
}

static bool search_anchors(struct stages *stages, size_t anchors, double share, struct error *error)
{
    uint64_t evaluations = stages->task->evaluations;
    bool done = true;
    int passes = set_plan_passes(evaluations > 0 ? share_of(evaluations, share) / anchors + 1 : 0);
    for (int pass = 1; done && pass <= passes; pass++)
        done = search(stages, SET_ANCHORS, 0, anchors, share * pass / passes, error);
    return done;
}

static bool run(struct stages *stages, struct error *error)
{
    size_t count = stages->task->set->count, anchors = set_plan_anchors(count);
    const struct set_shares shares = set_plan_shares(count);
    return search_anchors(stages, anchors, shares.anchors, error) &&
           search(stages, SET_OTHERS, anchors, count, shares.others, error) && complete(stages, error) &&
           finish(stages, error);
}

bool set_stages_run(const struct set_task *task, struct error *error)
{
    size_t count = task->set->count;
    struct stages *stages = calloc(1, sizeof *stages);
    if (!stages)
        return error_out_of_memory(error);
    stages->task = task;
    stages->order = calloc(count + 1, sizeof *stages->order);
    stages->allotted = calloc(count + 1, sizeof *stages->allotted);
    bool done = ((stages->order && stages->allotted && set_plan_order(task->table->nearness, count, stages->order)) ||
                 error_out_of_memory(error)) &&
                set_model_create(task->problems, task->table, task->seed, &stages->model, error) &&
                run(stages, error);
    set_model_free(stages->model);
    free(stages->order);
    free(stages->allotted);
    free(stages);
    return done;
}
