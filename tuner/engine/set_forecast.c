/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_forecast.h"

#include "tuner/engine/set_axes.h"

#include <math.h>
#include <stdlib.h>

enum {
    ROWS_MOST = 1280, /* results that the process is fitted to */
    ROWS_LEAST = 16,  /* fewer teach nothing */
    SAMPLE = 192,     /* results from which it is learnt how much coordinates matter */
    LEARN_STEPS = 12, /* for each coordinate */
};

struct set_forecast {
    struct set_axes axes;
    struct gaussian_process *process;
    struct posterior posterior;
    double *place, *values, *correlations;
    size_t rows;
};

void set_forecast_free(struct set_forecast *forecast)
{
    if (!forecast)
        return;
    set_axes_clear(&forecast->axes);
    gaussian_process_free(forecast->process);
    free(forecast->posterior.weights);
    free(forecast->place);
    free(forecast->values);
    free(forecast->correlations);
    free(forecast);
}

/* ---- results */

static bool is_result(const struct cost_table *table, size_t configuration, size_t size)
{
    double cost = table->costs[configuration * table->sizes + size];
    return cost > 0 && isfinite(cost);
}

static size_t count_results(const struct cost_table *table, const bool *left_out)
{
    size_t count = 0;
    for (size_t s = 0; s < table->sizes; s++) {
        for (size_t c = 0; c < table->count && !(left_out && left_out[s]); c++)
            count += is_result(table, c, s);
    }
    return count;
}

static bool take_result(struct set_forecast *forecast, const struct set_known *known, size_t configuration,
                        size_t size)
{
    const struct problem *problem = known->problems[size];
    size_t index;
    bool valid;
    if (!problem_configuration_find(problem, known->table->configurations[configuration], &index))
        return true; /* an earlier space had it */
    if (!set_axes_place(&forecast->axes, problem, index, NULL, forecast->place, &valid))
        return false;
    gaussian_process_set_point(forecast->process, forecast->rows, forecast->place);
    forecast->values[forecast->rows++] = cost_table_loss(known->table, configuration, size);
    return true;
}

/* Of more than there is room for, evenly spread ones. */
static bool take_results(struct set_forecast *forecast, const struct set_known *known, const bool *left_out,
                         size_t count)
{
    const struct cost_table *table = known->table;
    size_t most = count < ROWS_MOST ? count : ROWS_MOST, seen = 0;
    for (size_t s = 0; s < table->sizes; s++) {
        for (size_t c = 0; c < table->count && !(left_out && left_out[s]); c++) {
            if (!is_result(table, c, s))
                continue;
            bool taken = (seen + 1) * most / count > seen * most / count;
            seen++;
            if (taken && !take_result(forecast, known, c, s))
                return false;
        }
    }
    return true;
}

/* ---- the process */

static void fit(struct set_forecast *forecast, const struct set_known *known, const struct set_forecast *like)
{
    struct generator generator = {known->seed};
    if (like)
        gaussian_process_copy_scales(forecast->process, like->process);
    else
        gaussian_process_learn(forecast->process, forecast->values, forecast->rows,
                               LEARN_STEPS * forecast->axes.count, &generator);
    gaussian_process_factor(forecast->process, forecast->rows);
    gaussian_process_condition(forecast->process, forecast->values, forecast->rows, &forecast->posterior);
}

static bool prepare(struct set_forecast *forecast, const struct set_known *known, size_t rows)
{
    if (!set_axes_create(&forecast->axes, known->problems, known->set->count, SET_AXES_DERIVED))
        return false;
    const struct set_axes *axes = &forecast->axes;
    forecast->process = set_axes_process(axes, rows, SAMPLE);
    forecast->posterior.weights = calloc(rows, sizeof *forecast->posterior.weights);
    forecast->place = calloc(axes->count + 1, sizeof *forecast->place);
    forecast->values = calloc(rows, sizeof *forecast->values);
    forecast->correlations = calloc(rows, sizeof *forecast->correlations);
    return forecast->process && forecast->posterior.weights && forecast->place && forecast->values &&
           forecast->correlations;
}

bool set_forecast_create(const struct set_known *known, const bool *left_out, const struct set_forecast *like,
                         struct set_forecast **result, struct error *error)
{
    size_t count = count_results(known->table, left_out);
    *result = NULL;
    if (count < ROWS_LEAST)
        return true;
    struct set_forecast *forecast = calloc(1, sizeof *forecast);
    bool done = forecast && prepare(forecast, known, count < ROWS_MOST ? count : ROWS_MOST) &&
                take_results(forecast, known, left_out, count);
    if (done && forecast->rows >= ROWS_LEAST) {
        fit(forecast, known, like);
        *result = forecast;
    } else {
        set_forecast_free(forecast);
    }
    return done || error_out_of_memory(error);
}

bool set_forecast_ask(struct set_forecast *forecast, const struct problem *problem, size_t index,
                      const int64_t *sizes, double *loss, bool *valid, struct error *error)
{
    if (!set_axes_place(&forecast->axes, problem, index, sizes, forecast->place, valid))
        return error_out_of_memory(error);
    gaussian_process_correlate(forecast->process, forecast->place, forecast->correlations);
    *loss = posterior_mean(&forecast->posterior, forecast->correlations);
    return true;
}
