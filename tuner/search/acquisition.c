/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/acquisition.h"

#include "tuner/search/improvement.h"

#include <math.h>
#include <stdlib.h>

enum { EXACT_MOST = 256 }; /* proposals whose exact value is computed, so that the cost is bounded */

static const double variance_least = 1e-9, probability_least = 1e-9;

bool acquisition_create(struct acquisition *acquisition, size_t points)
{
    *acquisition = (struct acquisition){0};
    acquisition->objective.weights = calloc(points, sizeof(double));
    acquisition->success.weights = calloc(points, sizeof(double));
    acquisition->duration.weights = calloc(points, sizeof(double));
    return acquisition->objective.weights && acquisition->success.weights && acquisition->duration.weights;
}

void acquisition_clear(struct acquisition *acquisition)
{
    free(acquisition->objective.weights);
    free(acquisition->success.weights);
    free(acquisition->duration.weights);
}

static double log_improvement(const struct acquisition *acquisition, double mean, double variance)
{
    double deviation = sqrt(acquisition->objective.variance * fmax(variance, variance_least));
    return log_expected_improvement(acquisition->incumbent, mean, deviation);
}

/* Success is regressed on as 1 and failure as 0; what exceeds 1/2 succeeds (Rasmussen and Williams, 6.5). */
static double log_success(const struct acquisition *acquisition, const struct proposal *proposal, double variance)
{
    if (!acquisition->predicts_failures)
        return 0;
    double mean = posterior_mean(&acquisition->success, proposal->correlations);
    double deviation = sqrt(acquisition->success.variance * fmax(variance, variance_least));
    double probability = 0.5 * erfc((0.5 - mean) / deviation * 0.7071067811865476);
    return acquisition->reliability * log(fmax(probability, probability_least));
}

void acquisition_bound(const struct acquisition *acquisition, struct proposal *proposal)
{
    double variance = gaussian_process_variance_bound(acquisition->process, proposal->correlations);
    proposal->mean = posterior_mean(&acquisition->objective, proposal->correlations);
    proposal->offset = 0;
    if (acquisition->predicts_durations)
        proposal->offset -= acquisition->haste * posterior_mean(&acquisition->duration, proposal->correlations);
    proposal->bound = proposal->offset + log_improvement(acquisition, proposal->mean, variance);
}

static int by_falling_bound(const void *a, const void *b)
{
    const struct proposal *one = a, *other = b;
    if (one->bound != other->bound)
        return one->bound < other->bound ? 1 : -1;
    return (one->index > other->index) - (one->index < other->index);
}

bool acquisition_maximise(const struct acquisition *acquisition, struct proposal *proposals, size_t count,
                          double *value, size_t *index)
{
    bool found = false;
    qsort(proposals, count, sizeof *proposals, by_falling_bound);
    count = count < EXACT_MOST ? count : EXACT_MOST;
    for (size_t i = 0; i < count && proposals[i].bound > *value; i += GAUSSIAN_PROCESS_BLOCK) {
        const double *correlations[GAUSSIAN_PROCESS_BLOCK];
        double variances[GAUSSIAN_PROCESS_BLOCK];
        size_t size = count - i < GAUSSIAN_PROCESS_BLOCK ? count - i : GAUSSIAN_PROCESS_BLOCK;
        for (size_t k = 0; k < size; k++)
            correlations[k] = proposals[i + k].correlations;
        gaussian_process_variances(acquisition->process, correlations, size, variances);
        for (size_t k = 0; k < size; k++) {
            const struct proposal *proposal = &proposals[i + k];
            double exact = proposal->offset + log_success(acquisition, proposal, variances[k]) +
                           log_improvement(acquisition, proposal->mean, variances[k]);
            if (exact > *value) {
                *value = exact;
                *index = proposal->index;
                found = true;
            }
        }
    }
    return found;
}
