/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/simulated_space.h"

#include "tuner/device/device.h"
#include "tuner/simulate/baseline.h"
#include "tuner/simulate/known_recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double begin_share = 0.01, end_share = 0.95; /* of the way from the median to the optimum */

void simulated_space_free(struct simulated_space *space)
{
    if (!space)
        return;
    search_space_free(space->space);
    recorded_values_clear(&space->values);
    free(space->priors);
    free(space->compile_seconds);
    free(space->measure_seconds);
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

/* Seconds from one evaluation to the next when nothing has to wait for anything else. */
static double pace_of(const struct machine_plan *machine, double compile, double measure)
{
    if (machine->compilers == 0)
        return compile + measure;
    compile /= machine->compilers;
    return machine->takes_turns ? compile + measure : fmax(compile, measure);
}

static bool ends_with_compiling(const struct recorded_result *result)
{
    switch (result->outcome) {
    case OUTCOME_HOST_ERROR:
    case OUTCOME_COMPILE_ERROR:
    case OUTCOME_COMPILE_CRASH:
    case OUTCOME_COMPILE_TIMEOUT:
        return !(result->validate_seconds + result->measure_seconds > 0);
    default:
        return false;
    }
}

static int by_length(const void *a, const void *b)
{
    const double *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* One of them, to no more than what is taken by half of them. */
static bool limit(double *seconds, size_t count, size_t index, struct error *error)
{
    double *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return error_out_of_memory(error);
    memcpy(sorted, seconds, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_length);
    seconds[index] = fmin(seconds[index], sorted[count / 2]);
    free(sorted);
    return true;
}

static bool set_costs(struct simulated_space *space, struct error *error)
{
    const struct recording *recording = space->recording;
    double compile = 0, measure = 0;
    for (size_t i = 0; i < space->count; i++) {
        const struct recorded_result *result = &recording->results[i];
        space->compile_seconds[i] = result->compile_seconds;
        space->measure_seconds[i] = result->validate_seconds + result->measure_seconds;
    }
    if (recording->has_default && (!limit(space->compile_seconds, space->count, recording->default_index, error) ||
                                   !limit(space->measure_seconds, space->count, 0, error)))
        return false;
    for (size_t i = 0; i < space->count; i++) {
        compile += space->compile_seconds[i] / (double)space->count;
        measure += space->measure_seconds[i] / (double)space->count;
        if (ends_with_compiling(&recording->results[i]))
            space->measure_seconds[i] = -1;
    }
    space->pace = pace_of(&space->machine, compile, measure);
    if (space->pace > 0)
        return true;
    error_set(error, ERROR_INPUT, "%s: no compile, validation or measurement times are recorded", recording->name);
    return error_hint(error, "a replay needs to know what each evaluation cost");
}

/* Roughly what random search is expected to find by this time. */
static double expected(const struct simulated_space *space, double seconds)
{
    double count = (double)space->count, draws = seconds / space->pace;
    return simulated_space_objective(space, baseline_rank(space->count, space->valid, fmin(draws, count)));
}

/* When random search is expected to have come this share of the way from the median to the optimum. */
static double time_until(const struct simulated_space *space, double share)
{
    enum { HALVINGS = 60 };
    double target = space->median + share * (space->objectives[0] - space->median);
    double low = 0, high = 2 * space->pace * ((double)space->count + 1);
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
    space->draws = space->end / space->pace;
    return true;
}

static bool set_baseline(struct simulated_space *space, struct error *error)
{
    const struct random_searches searches = {
        .machine = space->machine,
        .times = {space->compile_seconds, space->measure_seconds},
        .ranks = space->ranks,
        .count = space->count,
        .valid = space->valid,
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

static bool add_priors(struct simulated_space *space, const size_t *indices, size_t count, struct error *error)
{
    size_t *priors = realloc(space->priors, (space->prior_count + count + 1) * sizeof *priors);
    if (!priors)
        return error_out_of_memory(error);
    space->priors = priors;
    for (size_t i = 0; i < count; i++)
        priors[space->prior_count++] = indices[i];
    return true;
}

bool simulated_space_create(const struct recording *recording, const char *objective, unsigned compilers,
                            struct simulated_space **result, struct error *error)
{
    const struct device_driver *driver = device_driver_find(recording->device_kind ? recording->device_kind : "");
    struct simulated_space *space = calloc(1, sizeof *space);
    if (!space)
        return error_out_of_memory(error);
    *space = (struct simulated_space){
        .recording = recording, .count = recording->count, .machine = {compilers, driver && driver->shares_cores}};
    space->compile_seconds = calloc(space->count, sizeof *space->compile_seconds);
    space->measure_seconds = calloc(space->count, sizeof *space->measure_seconds);
    space->ranks = calloc(space->count, sizeof *space->ranks);
    space->objectives = calloc(space->count, sizeof *space->objectives);
    bool done = (space->compile_seconds && space->measure_seconds && space->ranks && space->objectives) ||
                error_out_of_memory(error);
    done = done && recorded_values_read(recording, objective, &space->values, error) && rank_all(space, error) &&
           set_costs(space, error) && set_window(space, error) && set_baseline(space, error) &&
           search_space_listed(recording->parameters, recording->parameter_count, recording->rows, recording->count,
                               &space->space, error) &&
           (!recording->has_default || add_priors(space, &recording->default_index, 1, error));
    if (!done) {
        simulated_space_free(space);
        return false;
    }
    *result = space;
    return true;
}

bool simulated_space_know(struct simulated_space *space, const struct recording *recording, size_t most, bool *added,
                          struct error *error)
{
    size_t count = 0, *indices = calloc(most + 1, sizeof *indices);
    bool done =
        indices ? known_recording_best(recording, space->values.objective, space->space, most, indices, &count, error)
                : error_out_of_memory(error);
    done = done && add_priors(space, indices, count, error);
    free(indices);
    *added = count > 0;
    return done;
}
