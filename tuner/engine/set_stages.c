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
    struct set_pending *pending; /* what the visits under way have begun with */
    size_t pending_count;
    struct set_between between;                /* what is known and forecast, when it was last asked: */
    size_t between_known;                      /* by so many results */
    size_t rows[DISPATCH_CONFIGURATIONS_MOST]; /* of it: the choice */
    size_t count;
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

/* What of the whole time remains after so many seconds. */
static double overtime_after(const struct stages *stages, double seconds)
{
    const struct set_task *task = stages->task;
    return task->seconds > 0 ? fmax(task->seconds - task->seconds_spent(task->context) - seconds, 0) : 0;
}

/* Is the time of a stage over that ends after `share` of it? */
static bool is_over(const struct stages *stages, double share)
{
    const struct set_task *task = stages->task;
    return task->seconds > 0 && task->seconds_spent(task->context) >= share * task->seconds;
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

/* ---- visits under way */

static bool is_under_way(const struct stages *stages, size_t size)
{
    const struct set_task *task = stages->task;
    return task->is_under_way && task->is_under_way(task->context, size);
}

/* Nothing more is open at this size. */
static bool settle(const struct stages *stages, size_t size, struct error *error)
{
    const struct set_task *task = stages->task;
    return !task->settle || task->settle(task->context, size, error);
}

/* Of those that began with something, the model is told while they are under way. */
static void tell_pending(struct stages *stages)
{
    size_t kept = 0;
    for (size_t i = 0; i < stages->pending_count; i++) {
        if (is_under_way(stages, stages->pending[i].size))
            stages->pending[kept++] = stages->pending[i];
    }
    stages->pending_count = kept;
    set_model_expect(stages->model, stages->pending, kept);
}

static void note_pending(struct stages *stages, size_t size)
{
    for (size_t i = 0; i < stages->opening.first_count && stages->pending_count < SET_PENDING_MOST; i++)
        stages->pending[stages->pending_count++] = (struct set_pending){size, stages->opening.first[i]};
}

/* ---- the search at each size */

/* A pass over sizes order[from] .. order[to - 1], until `share` of the budget is spent, or at the latest the `whole`
 * stage's of the time. */
static bool search(struct stages *stages, enum set_stage stage, size_t from, size_t to, double share, double whole,
                   struct error *error)
{
    const struct set_task *task = stages->task;
    for (size_t i = from; i < to && !must_stop(stages) && !is_over(stages, whole); i++) {
        size_t size = stages->order[i], left = to - i;
        if (!settle(stages, task->table->count == 0 ? SET_ALL : size, error))
            return false;
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
        double seconds = seconds_each(stages, share, left);
        const struct set_visit visit = {.stage = stage,
                                        .number = i - from + 1,
                                        .count = to - from,
                                        .size = size,
                                        .evaluations = target > known ? target - known : 0,
                                        .seconds = seconds,
                                        .least = SET_VISIT_LEAST,
                                        .overtime = overtime_after(stages, seconds),
                                        .opening = &stages->opening};
        tell_pending(stages);
        if (!set_opening_make(task->table, stages->model, size, task->problems[size], visit.evaluations,
                              &stages->opening, error) ||
            !task->visit(task->context, &visit, error))
            return false;
        note_pending(stages, size);
    }
    return true;
}

/* ---- what is missing in the end */

static size_t results(const struct cost_table *table)
{
    size_t sum = 0;
    for (size_t s = 0; s < table->sizes; s++)
        sum += table->known[s];
    return sum;
}

/* Choose by what is known and forecast now, as the end will if nothing more is measured. It takes seconds. */
static bool choose(struct stages *stages, struct error *error)
{
    const struct set_task *task = stages->task;
    size_t known_now = results(task->table);
    if (known_now > 0 && known_now == stages->between_known)
        return true;
    const struct set_known known = {task->problems, task->set, task->table, task->seed};
    struct set_between now;
    bool done = set_between_make(&(struct set_between_request){.known = &known}, &now, error) &&
                set_result_choose_between(&now, task->configurations, stages->rows, &stages->count, error);
    set_between_clear(&stages->between);
    stages->between = now;
    stages->between_known = known_now;
    return done;
}

static double loss_of(const struct stages *stages, size_t configuration, size_t which)
{
    const struct tree_cases *cases = &stages->between.cases;
    return cases->loss[stages->rows[configuration] * cases->count + which];
}

static size_t place_of(const struct stages *stages, size_t configuration)
{
    return stages->between.places[stages->rows[configuration]];
}

/* The least that any of the choice loses at a size, or is expected to. */
static double least_loss(const struct stages *stages, size_t which)
{
    double least = cost_table_loss_most;
    for (size_t i = 0; i < stages->count; i++)
        least = fmin(least, loss_of(stages, i, which));
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
    if (!settle(stages, size, error))
        return false;
    const struct set_visit visit = {.stage = SET_MISSING,
                                    .number = number,
                                    .count = task->set->count,
                                    .size = size,
                                    .evaluations = evaluations,
                                    .seconds = seconds_each(stages, 1, 1),
                                    .opening = &stages->opening};
    return task->visit(task->context, &visit, error);
}

/* Which of the cases is the size at a place of the order? False: nothing is valid there. */
static bool case_at(const struct stages *stages, size_t at, size_t *which)
{
    for (*which = 0; *which < stages->between.cases.measured; ++*which) {
        if (stages->between.swept[*which] == stages->order[at])
            return true;
    }
    return false;
}

/* Measure the chosen ones wherever they may be the best of the choice. */
static bool measure_promising(struct stages *stages, bool *measured, struct error *error)
{
    for (size_t at = 0; at < stages->task->set->count && !must_stop(stages); at++) {
        size_t size = stages->order[at], i;
        if (!case_at(stages, at, &i))
            continue;
        double least = least_loss(stages, i);
        stages->opening = (struct set_opening){0};
        for (size_t c = 0; c < stages->count; c++) {
            if (loss_of(stages, c, i) <= least + loss_to_measure &&
                !add_missing(stages, size, place_of(stages, c), error))
                return false;
        }
        if (!measure(stages, at + 1, size, measured, error))
            return false;
    }
    return true;
}

/* Measure what the tree would answer. */
static bool measure_answers(struct stages *stages, bool *measured, struct error *error)
{
    const struct tree_cases *cases = &stages->between.cases;
    struct tree tree = {0};
    bool done = stages->count == 0 || set_result_tree(&stages->between, stages->rows, stages->count, &tree, error);
    for (size_t at = 0; done && stages->count > 0 && at < stages->task->set->count && !must_stop(stages); at++) {
        size_t size = stages->order[at], i;
        if (!case_at(stages, at, &i))
            continue;
        size_t leaf = tree_leaf(&tree, cases->sizes + i * cases->dimensions);
        stages->opening = (struct set_opening){0};
        done = add_missing(stages, size, place_of(stages, tree.nodes[leaf].configuration), error) &&
               measure(stages, at + 1, size, measured, error);
    }
    tree_clear(&tree);
    return done;
}

/* Choose, and measure what matters for the choice and is missing, until nothing is. */
static bool complete(struct stages *stages, struct error *error)
{
    bool measured = true, done = true;
    for (int round = 0; done && measured && round < ROUNDS_MOST && !must_stop(stages); round++) {
        measured = false;
        done = choose(stages, error) && measure_promising(stages, &measured, error) &&
               (measured || measure_answers(stages, &measured, error)) && settle(stages, SET_ALL, error);
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
    size_t chosen[DISPATCH_CONFIGURATIONS_MOST];
    double now = task->seconds_spent(task->context), end = now + fmax(finals_share * now, finals_seconds_least);
    if (!task->finals)
        return true;
    if (!choose(stages, error))
        return false;
    for (size_t i = 0; i < stages->count; i++)
        chosen[i] = place_of(stages, i);
    for (size_t i = 0; i < task->set->count && now < end && !task->is_interrupted(task->context); i++) {
        if (!hold_finals(stages, i, chosen, stages->count, end - now, error))
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
        done = search(stages, SET_ANCHORS, 0, anchors, share * pass / passes, share, error);
    return done;
}

static bool run(struct stages *stages, struct error *error)
{
    size_t count = stages->task->set->count, anchors = set_plan_anchors(count);
    const struct set_shares shares = set_plan_shares(count);
    return search_anchors(stages, anchors, shares.anchors, error) &&
           search(stages, SET_OTHERS, anchors, count, shares.others, shares.others, error) &&
           settle(stages, SET_ALL, error) && complete(stages, error) && finish(stages, error);
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
    stages->pending = calloc(SET_PENDING_MOST, sizeof *stages->pending);
    bool done = ((stages->order && stages->allotted && stages->pending &&
                  set_plan_order(task->table->nearness, count, stages->order)) ||
                 error_out_of_memory(error)) &&
                set_model_create(task->problems, task->table, task->seed, &stages->model, error) &&
                run(stages, error);
    set_model_free(stages->model);
    set_between_clear(&stages->between);
    free(stages->order);
    free(stages->allotted);
    free(stages->pending);
    free(stages);
    return done;
}
