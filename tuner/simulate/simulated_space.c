/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/simulated_space.h"

#include "tuner/simulate/baseline.h"

#include <math.h>
#include <stdlib.h>

static const double begin_share = 0.01, end_share = 0.95; /* of the way from the median to the optimum */

void simulated_space_free(struct simulated_space *space)
{
    if (!space)
        return;
    search_space_free(space->space);
    recorded_values_clear(&space->values);
    free(space->costs);
    free(space->ranks);
    free(space->objectives);
    free(space);
}

double simulated_space_time(const struct simulated_space *space, size_t index)
{
    return space->begin + (space->end - space->begin) * (double)index / (SCORE_TIMES - 1);
}

double simulated_space_cost(const struct simulated_space *space, uint32_t rank)
{
    return space->values.maximize ? 1 / space->objectives[rank] : space->objectives[rank];
}

double simulated_space_objective(const struct simulated_space *space, double rank)
{
    size_t below = (size_t)rank;
    if (below + 1 >= space->valid)
        return space->objectives[space->valid - 1];
    double share = rank - (double)below;
    return space->objectives[below] * (1 - share) + space->objectives[below + 1] * share;
}

struct ranked {
    double objective; /* less is better */
    size_t index;
};

/* A value, or a difference of two: less is better. */
static double oriented(const struct simulated_space *space, double value)
{
    return space->values.maximize ? -value : value;
}

static int by_objective(const void *a, const void *b)
{
    const struct ranked *first = a, *second = b;
    if (first->objective != second->objective)
        return first->objective < second->objective ? -1 : 1;
    return first->index < second->index ? -1 : 1;
}

static bool rank_all(struct simulated_space *space, struct error *error)
{
    struct ranked *order = calloc(space->count, sizeof *order);
    if (!order)
        return error_out_of_memory(error);
    for (size_t i = 0; i < space->count; i++) {
        double value = space->values.of[i];
        if (value > 0)
            order[space->valid++] = (struct ranked){oriented(space, value), i};
    }
    qsort(order, space->valid, sizeof *order, by_objective);
    for (size_t i = 0; i < space->count; i++)
        space->ranks[i] = (uint32_t)space->valid;
    for (size_t i = 0; i < space->valid; i++) {
        space->ranks[order[i].index] = (uint32_t)i;
        space->objectives[i] = space->values.of[order[i].index];
    }
    free(order);
    return true;
}

static bool set_costs(struct simulated_space *space, struct error *error)
{
    const struct recording *recording = space->recording;
    for (size_t i = 0; i < space->count; i++) {
        space->costs[i] = recorded_cost(&recording->results[i]);
        space->mean_cost += space->costs[i] / (double)space->count;
    }
    if (space->mean_cost > 0)
        return true;
    error_set(error, ERROR_INPUT, "%s: no compile, validation or measurement times are recorded", recording->name);
    return error_hint(error, "a replay needs to know what each evaluation cost");
}

/* Roughly what random search is expected to find by this time. */
static double expected(const struct simulated_space *space, double seconds)
{
    double count = (double)space->count, draws = space->parallel * seconds / space->mean_cost;
    return simulated_space_objective(space, baseline_rank(space->count, space->valid, fmin(draws, count)));
}

/* When random search is expected to have come this share of the way from the median to the optimum. */
static double time_until(const struct simulated_space *space, double share)
{
    enum { HALVINGS = 60 };
    double target = space->median + share * (space->objectives[0] - space->median);
    double low = 0, high = 2 * space->mean_cost * ((double)space->count / space->parallel + 1);
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (oriented(space, expected(space, middle) - target) > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static bool set_window(struct simulated_space *space, struct error *error)
{
    if (space->valid < 2)
        return error_set(error, ERROR_INPUT, "%s: %zu valid configuration%s, but a replay needs at least two",
                         space->recording->name, space->valid, space->valid == 1 ? "" : "s");
    space->median = simulated_space_objective(space, (double)(space->valid - 1) / 2);
    if (!(oriented(space, space->objectives[0] - space->median) < 0))
        return error_set(error, ERROR_INPUT, "%s: half of the configurations equal the best: any search finds it",
                         space->recording->name);
    space->begin = time_until(space, begin_share);
    space->end = time_until(space, end_share);
    space->draws = space->parallel * space->end / space->mean_cost;
    return true;
}

static bool set_baseline(struct simulated_space *space, struct error *error)
{
    const struct random_searches searches = {
        .costs = space->costs,
        .ranks = space->ranks,
        .count = space->count,
        .valid = space->valid,
        .parallel = space->parallel,
        .begin = space->begin,
        .end = space->end,
        .time_count = SCORE_TIMES,
        .draws = space->draws,
    };
    if (!baseline_ranks(&searches, space->baseline))
        return error_out_of_memory(error);
    for (size_t i = 0; i < SCORE_TIMES; i++)
        space->baseline[i] = simulated_space_objective(space, space->baseline[i]);
    return true;
}

bool simulated_space_create(const struct recording *recording, const char *objective, unsigned parallel,
                            struct simulated_space **result, struct error *error)
{
    struct simulated_space *space = calloc(1, sizeof *space);
    if (!space)
        return error_out_of_memory(error);
    *space = (struct simulated_space){.recording = recording, .count = recording->count, .parallel = parallel};
    space->costs = calloc(space->count, sizeof *space->costs);
    space->ranks = calloc(space->count, sizeof *space->ranks);
    space->objectives = calloc(space->count, sizeof *space->objectives);
    bool done = (space->costs && space->ranks && space->objectives) || error_out_of_memory(error);
    done = done && recorded_values_read(recording, objective, &space->values, error) && rank_all(space, error) &&
           set_costs(space, error) && set_window(space, error) && set_baseline(space, error) &&
           search_space_listed(recording->parameters, recording->parameter_count, recording->rows, recording->count,
                               &space->space, error);
    if (!done) {
        simulated_space_free(space);
        return false;
    }
    *result = space;
    return true;
}
