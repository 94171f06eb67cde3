/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/gaussian_process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double length_median = 0.5, length_deviation = 1; /* of the log-normal priors, by default */
static const double noise_median = 0.0025, noise_deviation = 3;
static const double noise_least = 6e-6;
static const double variance_least = 1e-12;

struct gaussian_process {
    size_t coordinates;
    double *scales, *tried;        /* logarithms of the length scales, then of the noise; a proposal for them */
    double step;                   /* of the random walk over scales */
    double length, deviation;      /* of the prior */
    struct covariance all, sample; /* of all points; of those that scales are learnt from */
    double *work;                  /* GAUSSIAN_PROCESS_BLOCK numbers per point */
    double *taken;                 /* values of the sample */
};

struct gaussian_process *gaussian_process_create_with(size_t coordinates, size_t ordinal, size_t capacity,
                                                      size_t sample, double length, double deviation)
{
    sample = sample < capacity ? sample : capacity;
    struct gaussian_process *process = calloc(1, sizeof *process);
    if (!process)
        return NULL;
    process->coordinates = coordinates;
    process->length = length;
    process->deviation = deviation;
    process->scales = calloc(coordinates + 1, sizeof *process->scales);
    process->tried = calloc(coordinates + 1, sizeof *process->tried);
    process->work = calloc(capacity * GAUSSIAN_PROCESS_BLOCK, sizeof *process->work);
    process->taken = calloc(sample + 1, sizeof *process->taken);
    if (!process->scales || !process->tried || !process->work || !process->taken ||
        !covariance_create(&process->all, coordinates, ordinal, capacity) ||
        !covariance_create(&process->sample, coordinates, ordinal, sample)) {
        gaussian_process_free(process);
        return NULL;
    }
    for (size_t c = 0; c < coordinates; c++)
        process->scales[c] = log(length);
    process->scales[coordinates] = log(noise_median);
    process->step = 0.5;
    return process;
}

struct gaussian_process *gaussian_process_create(size_t coordinates, size_t ordinal, size_t capacity)
{
    return gaussian_process_create_with(coordinates, ordinal, capacity, GAUSSIAN_PROCESS_SAMPLE, length_median,
                                        length_deviation);
}

void gaussian_process_free(struct gaussian_process *process)
{
    if (!process)
        return;
    covariance_clear(&process->all);
    covariance_clear(&process->sample);
    free(process->scales);
    free(process->tried);
    free(process->work);
    free(process->taken);
    free(process);
}

void gaussian_process_set_scales(struct gaussian_process *process, const double *lengths, double noise)
{
    for (size_t c = 0; c < process->coordinates; c++)
        process->scales[c] = log(lengths[c]);
    process->scales[process->coordinates] = log(noise);
}

void gaussian_process_copy_scales(struct gaussian_process *to, const struct gaussian_process *from)
{
    memcpy(to->scales, from->scales, (to->coordinates + 1) * sizeof *to->scales);
}

void gaussian_process_set_point(struct gaussian_process *process, size_t number, const double *coordinates)
{
    covariance_set_point(&process->all, number, coordinates);
}

/* Whitens values to L^-1 (values - mean), with the maximum-likelihood mean and variance. */
static void whiten(const struct covariance *covariance, size_t count, double *values, double *ones, double *mean,
                   double *variance)
{
    double of_ones = 0, of_values = 0, rest = 0;
    for (size_t i = 0; i < count; i++)
        ones[i] = 1;
    covariance_solve_forward(covariance, count, ones);
    covariance_solve_forward(covariance, count, values);
    for (size_t i = 0; i < count; i++) {
        of_ones += ones[i] * ones[i];
        of_values += ones[i] * values[i];
    }
    *mean = of_values / of_ones;
    for (size_t i = 0; i < count; i++) {
        values[i] -= *mean * ones[i];
        rest += values[i] * values[i];
    }
    *variance = fmax(rest / (double)count, variance_least);
}

/* The logarithm of marginal likelihood times prior, up to a constant. */
static double log_posterior(struct gaussian_process *process, const double *scales, const double *values,
                            size_t count)
{
    double mean, variance;
    double *whitened = process->work, *ones = process->work + count;
    covariance_factor(&process->sample, count, scales, exp(scales[process->coordinates]));
    memcpy(whitened, values, count * sizeof *values);
    whiten(&process->sample, count, whitened, ones, &mean, &variance);
    double result = -covariance_half_log_determinant(&process->sample);
    for (size_t c = 0; c < process->coordinates; c++) {
        double off = (scales[c] - log(process->length)) / process->deviation;
        result -= off * off / 2;
    }
    double off = (scales[process->coordinates] - log(noise_median)) / noise_deviation;
    return result - off * off / 2 - 0.5 * (double)count * log(variance);
}

/* Every n-th point, as the order of points may carry meaning. */
static size_t take_sample(struct gaussian_process *process, const double *values, size_t count)
{
    const struct covariance *all = &process->all;
    struct covariance *sample = &process->sample;
    size_t size = count < sample->capacity ? count : sample->capacity;
    for (size_t i = 0; i < size; i++) {
        size_t from = i * count / size;
        process->taken[i] = values[from];
        for (size_t c = 0; c < process->coordinates; c++)
            sample->points[c * sample->capacity + i] = all->points[c * all->capacity + from];
    }
    return size;
}

/* Standard normal, by Box and Muller. */
static double normal(struct generator *generator)
{
    double u = ((double)(generator_next(generator) >> 11) + 0.5) * 0x1p-53;
    double v = (double)(generator_next(generator) >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* A large change of one scale, or a small one of all. */
static void propose_scales(struct gaussian_process *process, struct generator *generator)
{
    size_t count = process->coordinates + 1;
    memcpy(process->tried, process->scales, count * sizeof *process->tried);
    if (generator_below(generator, 2) == 0) {
        process->tried[generator_below(generator, count)] += 2 * process->step * normal(generator);
    } else {
        for (size_t c = 0; c < count; c++)
            process->tried[c] += process->step * normal(generator);
    }
    process->tried[count - 1] = fmax(process->tried[count - 1], log(noise_least));
}

void gaussian_process_learn(struct gaussian_process *process, const double *values, size_t count, size_t steps,
                            struct generator *generator)
{
    double *taken = process->taken;
    size_t size = take_sample(process, values, count);
    double best = log_posterior(process, process->scales, taken, size);
    for (size_t i = 0; i < steps; i++) {
        propose_scales(process, generator);
        double now = log_posterior(process, process->tried, taken, size);
        if (now > best) {
            double *scales = process->scales;
            process->scales = process->tried;
            process->tried = scales;
            best = now;
        }
        process->step *= now >= best ? 1.3 : 0.93;
        process->step = fmin(fmax(process->step, 0.1), 2);
    }
}

void gaussian_process_factor(struct gaussian_process *process, size_t count)
{
    covariance_factor(&process->all, count, process->scales, exp(process->scales[process->coordinates]));
}

void gaussian_process_append(struct gaussian_process *process)
{
    covariance_append(&process->all);
}

void gaussian_process_condition(struct gaussian_process *process, const double *values, size_t count,
                                struct posterior *posterior)
{
    memcpy(posterior->weights, values, count * sizeof *values);
    whiten(&process->all, count, posterior->weights, process->work, &posterior->mean, &posterior->variance);
    covariance_solve_backward(&process->all, count, posterior->weights);
    posterior->count = count;
}

void gaussian_process_distances(const struct gaussian_process *process, const double *place, double *distances)
{
    covariance_distances(&process->all, place, distances);
}

void gaussian_process_correlate(const struct gaussian_process *process, const double *place, double *correlations)
{
    covariance_correlate(&process->all, place, correlations);
}

void gaussian_process_correlate_near(const struct gaussian_process *process, const double *place, const double *other,
                                     const double *distances, double *correlations)
{
    covariance_correlate_near(&process->all, place, other, distances, correlations);
}

double gaussian_process_variance_bound(const struct gaussian_process *process, const double *correlations)
{
    double most = 0;
    for (size_t i = 0; i < process->all.count; i++)
        most = correlations[i] > most ? correlations[i] : most;
    return fmax(1 - most * most / (1 + process->all.noise), 0);
}

double posterior_mean(const struct posterior *posterior, const double *correlations)
{
    double mean = posterior->mean;
    for (size_t i = 0; i < posterior->count; i++)
        mean += posterior->weights[i] * correlations[i];
    return mean;
}

void gaussian_process_variances(struct gaussian_process *process, const double *const *correlations, size_t places,
                                double *variances)
{
    covariance_conditional_variances(&process->all, correlations, places, process->work, variances);
}
