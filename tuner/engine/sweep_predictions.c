/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/sweep_predictions.h"

#include <math.h>
#include <stdlib.h>

static enum finding_state state_of(const struct sweep *sweep, size_t index)
{
    size_t number;
    if (!index_map_get(&sweep->findings.places, index, &number))
        return FINDING_NONE;
    return findings_number(&sweep->findings, number)->state;
}

/* How many of those to begin with are in a state. */
static size_t count_first(const struct sweep *sweep, enum finding_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < sweep->options->first_count; i++)
        count += state_of(sweep, sweep->options->first[i]) == state;
    return count;
}

static bool are_due(const struct sweep *sweep)
{
    return sweep->options->prediction_count > 0 && !sweep->has_predicted;
}

bool sweep_waits_for_predictions(const struct sweep *sweep)
{
    return are_due(sweep) && count_first(sweep, FINDING_NONE) == 0 && count_first(sweep, FINDING_OPEN) > 0;
}

static int compare(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The least cost here by what each of those to begin with says: the median. 0: none of them is valid. */
static bool find_scale(const struct sweep *sweep, double *scale)
{
    const struct sweep_options *options = sweep->options;
    double *ratios = calloc(options->first_count + 1, sizeof *ratios);
    size_t count = 0;
    if (!ratios)
        return false;
    for (size_t i = 0; i < options->first_count; i++) {
        const struct finding *finding = findings_of(&sweep->findings, options->first[i]);
        if (finding->outcome == OUTCOME_OK && isfinite(finding->value) && finding->value > 0)
            ratios[count++] = finding->value / options->predictions[i].ratio;
    }
    qsort(ratios, count, sizeof *ratios, compare);
    *scale = count > 0 ? ratios[count / 2] : 0;
    free(ratios);
    return true;
}

bool sweep_predict(struct sweep *sweep, struct error *error)
{
    double scale;
    if (!are_due(sweep) || count_first(sweep, FINDING_NONE) > 0 || count_first(sweep, FINDING_OPEN) > 0)
        return true;
    if (!find_scale(sweep, &scale))
        return error_out_of_memory(error);
    sweep->has_predicted = true;
    for (size_t i = 0; scale > 0 && i < sweep->options->prediction_count; i++) {
        const struct sweep_prediction *prediction = &sweep->options->predictions[i];
        const struct observation observation = {
            .index = prediction->index, .valid = true, .objective = scale * prediction->ratio};
        if (state_of(sweep, prediction->index) == FINDING_NONE && !tradeoff_tell(sweep->search, &observation, NULL))
            return error_out_of_memory(error);
    }
    return true;
}
