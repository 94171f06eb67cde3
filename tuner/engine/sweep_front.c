/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/sweep_front.h"

#include <math.h>
#include <stdlib.h>

static const double drift = 1.02; /* between two measurements that may be far apart in time */

static const double *costs_of(const struct sweep *sweep, size_t index)
{
    return findings_of(&sweep->findings, index)->costs;
}

bool sweep_front_add(struct sweep *sweep, const struct finding *finding, bool *extends, struct error *error)
{
    *extends = false;
    if (!sweep->aims || !finding_has_value(finding) || finding->beaten)
        return true;
    size_t objectives = sweep->aims->count, kept = 0;
    for (size_t i = 0; i < sweep->front_count; i++) {
        if (front_covers(costs_of(sweep, sweep->front[i]), finding->costs, objectives))
            return true;
    }
    if (sweep->front_count == sweep->front_capacity) {
        size_t capacity = sweep->front_capacity ? 2 * sweep->front_capacity : 16;
        size_t *front = realloc(sweep->front, capacity * sizeof *front);
        if (!front)
            return error_out_of_memory(error);
        sweep->front = front;
        sweep->front_capacity = capacity;
    }
    for (size_t i = 0; i < sweep->front_count; i++) {
        if (!front_dominates(finding->costs, costs_of(sweep, sweep->front[i]), objectives))
            sweep->front[kept++] = sweep->front[i];
    }
    sweep->front[kept++] = finding->index;
    sweep->summary->progress.front = sweep->front_count = kept;
    *extends = true;
    return true;
}

bool sweep_front_renew(struct sweep *sweep, struct error *error)
{
    bool extends, done = true;
    sweep->front_count = 0;
    for (size_t i = 0; done && i < sweep->findings.known; i++)
        done = sweep_front_add(sweep, findings_number(&sweep->findings, i), &extends, error);
    return done;
}

/* ---- who takes part in the finals ---- */

/* A configuration and what it is ranked by, less is better. */
struct contender {
    size_t index;
    double rank;
};

struct ordering {
    const struct sweep *sweep;
    size_t objective;
};

static int by_cost(const void *a, const void *b, void *context)
{
    const struct ordering *ordering = context;
    const struct contender *first = a, *second = b;
    double one = costs_of(ordering->sweep, first->index)[ordering->objective];
    double other = costs_of(ordering->sweep, second->index)[ordering->objective];
    if (one != other)
        return one < other ? -1 : 1;
    return (first->index > second->index) - (first->index < second->index);
}

static int by_rank(const void *a, const void *b)
{
    const struct contender *first = a, *second = b;
    if (first->rank != second->rank)
        return first->rank < second->rank ? -1 : 1;
    return (first->index > second->index) - (first->index < second->index);
}

/*
 * The ends first, then where the front is least crowded: the distance between the neighbours on both sides, in
 * logarithms relative to the front's extent, summed over the objectives (K. Deb, A. Pratap, S. Agarwal, T. Meyarivan,
 * "A fast and elitist multiobjective genetic algorithm: NSGA-II", IEEE Transactions on Evolutionary Computation 6,
 * 2002).
 */
static void rank_by_crowding(const struct sweep *sweep, struct contender *front)
{
    size_t count = sweep->front_count;
    for (size_t i = 0; i < count; i++)
        front[i] = (struct contender){sweep->front[i], 0};
    for (size_t k = 0; k < sweep->aims->count; k++) {
        struct ordering ordering = {sweep, k};
        qsort_r(front, count, sizeof *front, by_cost, &ordering);
        double least = costs_of(sweep, front[0].index)[k], most = costs_of(sweep, front[count - 1].index)[k];
        front[0].rank = front[count - 1].rank = -HUGE_VAL;
        for (size_t i = 1; i + 1 < count && most > least; i++)
            front[i].rank -= log(costs_of(sweep, front[i + 1].index)[k] / costs_of(sweep, front[i - 1].index)[k]) /
                             log(most / least);
    }
    qsort(front, count, sizeof *front, by_rank);
}

/* By what factor it is worse than the nearest of the front in the objective where that is most. */
static double distance_of(const struct sweep *sweep, const struct finding *finding)
{
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < sweep->front_count; i++) {
        const double *other = costs_of(sweep, sweep->front[i]);
        double most = 0;
        for (size_t k = 0; k < sweep->aims->count; k++)
            most = fmax(most, finding->costs[k] / other[k]);
        nearest = fmin(nearest, most);
    }
    return nearest;
}

static bool is_on_front(const struct sweep *sweep, size_t index)
{
    bool on = false;
    for (size_t i = 0; i < sweep->front_count; i++)
        on = on || sweep->front[i] == index;
    return on;
}

/* Those that noise may keep from the front, the nearest first; returns how many. */
static size_t find_near(const struct sweep *sweep, struct contender *near)
{
    size_t count = 0;
    for (size_t i = 0; i < sweep->findings.known; i++) {
        const struct finding *finding = findings_number(&sweep->findings, i);
        if (!finding_has_value(finding) || finding->beaten || is_on_front(sweep, finding->index))
            continue;
        double distance = distance_of(sweep, finding);
        if (distance <= drift)
            near[count++] = (struct contender){finding->index, distance};
    }
    qsort(near, count, sizeof *near, by_rank);
    return count;
}

/* The best by the first objective comes first, which is what the others' times are shown as ratios to. */
static void put_best_first(const struct sweep *sweep, size_t *field, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        if (costs_of(sweep, field[i])[0] < costs_of(sweep, field[best])[0])
            best = i;
    }
    size_t first = field[0];
    field[0] = field[best];
    field[best] = first;
}

bool sweep_front_field(const struct sweep *sweep, size_t most, size_t *field, size_t *count, struct error *error)
{
    struct contender *contenders = calloc(sweep->findings.known + 1, sizeof *contenders);
    bool undecided = false;
    *count = 0;
    if (!contenders)
        return error_out_of_memory(error);
    if (sweep->front_count > 0)
        rank_by_crowding(sweep, contenders);
    for (size_t i = 0; i < sweep->front_count && *count < most; i++) {
        field[(*count)++] = contenders[i].index;
        undecided = undecided || !findings_of(&sweep->findings, contenders[i].index)->has_won;
    }
    size_t near = *count < most ? find_near(sweep, contenders) : 0;
    for (size_t i = 0; i < near && *count < most; i++) {
        field[(*count)++] = contenders[i].index;
        undecided = undecided || findings_of(&sweep->findings, contenders[i].index)->is_new;
    }
    free(contenders);
    *count = undecided && *count > 1 ? *count : 0;
    put_best_first(sweep, field, *count);
    return true;
}
