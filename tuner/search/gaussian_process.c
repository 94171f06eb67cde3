/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/gaussian_process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double length_median = 0.5, length_deviation = 1; /* prior; the deviation is that of the logarithm */
static const double noise_median = 0.0025, noise_deviation = 3;
static const double noise_least = 6e-6; /* enough for matrices that are nearly singular */
static const double variance_least = 1e-12;

/* Points and the factor of their covariance. Vectors run along points, so that loops over these are vectorised. */
struct factor {
    double *points; /* coordinate by coordinate */
    double *lower;  /* Cholesky's L, column by column */
    size_t count, stride;
    double noise;
};

struct gaussian_process {
    size_t coordinates, ordinal;
    double *scales, *tried; /* logarithms of lengths, then that of noise */
    double *inverse;        /* 1 / length^2 */
    double step;            /* of learning */
    struct factor all, sample;
    double *work; /* for some numbers a point */
};

static bool factor_create(struct factor *factor, size_t coordinates, size_t most)
{
    factor->stride = most;
    factor->points = calloc(most * (coordinates + 1), sizeof *factor->points);
    factor->lower = calloc(most * most, sizeof *factor->lower);
    return factor->points && factor->lower;
}

struct gaussian_process *gaussian_process_create(size_t coordinates, size_t ordinal, size_t most)
{
    struct gaussian_process *process = calloc(1, sizeof *process);
    if (!process)
        return NULL;
    process->coordinates = coordinates;
    process->ordinal = ordinal;
    process->scales = calloc(coordinates + 1, sizeof *process->scales);
    process->tried = calloc(coordinates + 1, sizeof *process->tried);
    process->inverse = calloc(coordinates + 1, sizeof *process->inverse);
    process->work = calloc(most * GAUSSIAN_PROCESS_BLOCK, sizeof *process->work);
    if (!process->scales || !process->tried || !process->inverse || !process->work ||
        !factor_create(&process->all, coordinates, most) ||
        !factor_create(&process->sample, coordinates,
                       most < GAUSSIAN_PROCESS_SAMPLE ? most : GAUSSIAN_PROCESS_SAMPLE)) {
        gaussian_process_free(process);
        return NULL;
    }
    for (size_t c = 0; c < coordinates; c++)
        process->scales[c] = log(length_median);
    process->scales[coordinates] = log(noise_median);
    process->step = 0.5;
    return process;
}

void gaussian_process_free(struct gaussian_process *process)
{
    if (!process)
        return;
    free(process->all.points);
    free(process->all.lower);
    free(process->sample.points);
    free(process->sample.lower);
    free(process->scales);
    free(process->tried);
    free(process->inverse);
    free(process->work);
    free(process);
}

void gaussian_process_set_scales(struct gaussian_process *process, const double *lengths, double noise)
{
    for (size_t c = 0; c < process->coordinates; c++)
        process->scales[c] = log(lengths[c]);
    process->scales[process->coordinates] = log(noise);
}

void gaussian_process_set_point(struct gaussian_process *process, size_t number, const double *coordinates)
{
    for (size_t c = 0; c < process->coordinates; c++)
        process->all.points[c * process->all.stride + number] = coordinates[c];
}

static void use_scales(struct gaussian_process *process, const double *scales)
{
    for (size_t c = 0; c < process->coordinates; c++)
        process->inverse[c] = exp(-2 * scales[c]);
}

/* exp(-x) to nine digits for small x, by 1 / (exp(x / 32))^32 and Taylor: a loop over it is vectorised. */
static inline double decay(double x)
{
    double y = x * (1.0 / 32);
    double e = 1 + y * (1 + y * (1.0 / 2 + y * (1.0 / 6 + y * (1.0 / 24 + y * (1.0 / 120)))));
    e *= e;
    e *= e;
    e *= e;
    e *= e;
    return 1 / (e * e);
}

/* Adds to squared distances, in lengths, what a coordinate contributes to those from points of a factor to a place.
 */
static void add_distances(const struct gaussian_process *process, const struct factor *factor, size_t c, double own,
                          double weight, size_t first, size_t end, double *restrict distances)
{
    const double *points = factor->points + c * factor->stride;
    if (c < process->ordinal) {
        for (size_t i = first; i < end; i++)
            distances[i] += (points[i] - own) * (points[i] - own) * weight;
    } else {
        for (size_t i = first; i < end; i++)
            distances[i] += points[i] != own ? weight : 0;
    }
}

/* Squared distances become correlations. */
static void to_correlations(size_t first, size_t end, double *restrict distances)
{
    for (size_t i = first; i < end; i++) {
        double r = sqrt(5 * (distances[i] > 0 ? distances[i] : 0));
        distances[i] = (1 + r + r * r * (1.0 / 3)) * decay(r);
    }
}

/* Squared distances of a place, in lengths, from the points of a factor from `first` to `end`. */
static void measure(const struct gaussian_process *process, const struct factor *factor, const double *place,
                    size_t place_stride, size_t first, size_t end, double *restrict distances)
{
    for (size_t i = first; i < end; i++)
        distances[i] = 0;
    for (size_t c = 0; c < process->coordinates; c++)
        add_distances(process, factor, c, place[c * place_stride], process->inverse[c], first, end, distances);
}

/* What four columns before it take from column k: four at once read and write it once. */
static void subtract_four(double *restrict column, const double *restrict before, size_t stride, size_t k,
                          size_t count)
{
    const double *restrict a = before, *restrict b = a + stride, *restrict c = b + stride, *restrict d = c + stride;
    double by_a = a[k], by_b = b[k], by_c = c[k], by_d = d[k];
    for (size_t i = k; i < count; i++)
        column[i] -= by_a * a[i] + by_b * b[i] + by_c * c[i] + by_d * d[i];
}

/* Cholesky's factor of the covariance, column after column. */
static void factorise(const struct gaussian_process *process, struct factor *factor, size_t count, double noise)
{
    size_t stride = factor->stride;
    factor->count = count;
    factor->noise = noise;
    for (size_t k = 0; k < count; k++) {
        double *restrict column = factor->lower + k * stride;
        measure(process, factor, factor->points + k, stride, k, count, column);
        to_correlations(k, count, column);
        column[k] += noise;
        size_t j = 0;
        for (; j + 4 <= k; j += 4)
            subtract_four(column, factor->lower + j * stride, stride, k, count);
        for (; j < k; j++) {
            const double *restrict before = factor->lower + j * stride;
            double by = before[k];
            for (size_t i = k; i < count; i++)
                column[i] -= by * before[i];
        }
        double scale = 1 / sqrt(fmax(column[k], noise_least));
        column[k] = 1 / scale;
        for (size_t i = k + 1; i < count; i++)
            column[i] *= scale;
    }
}

/* x := L^-1 x and x := L^-T x, for the leading `count` rows. */
static void solve_forward(const struct factor *factor, size_t count, double *restrict x)
{
    for (size_t k = 0; k < count; k++) {
        const double *restrict column = factor->lower + k * factor->stride;
        x[k] /= column[k];
        for (size_t i = k + 1; i < count; i++)
            x[i] -= column[i] * x[k];
    }
}

static void solve_backward(const struct factor *factor, size_t count, double *x)
{
    for (size_t k = count; k-- > 0;) {
        const double *column = factor->lower + k * factor->stride;
        for (size_t i = k + 1; i < count; i++)
            x[k] -= column[i] * x[i];
        x[k] /= column[k];
    }
}

/* Turns values into L^-1 (values - mean), with the mean and the variance that are likeliest. */
static void whiten(const struct factor *factor, size_t count, double *values, double *ones, double *mean,
                   double *variance)
{
    double of_ones = 0, of_values = 0, rest = 0;
    for (size_t i = 0; i < count; i++)
        ones[i] = 1;
    solve_forward(factor, count, ones);
    solve_forward(factor, count, values);
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

/* The logarithm of the likelihood of scales by the sample, times that of the prior, but for a constant. */
static double likelihood(struct gaussian_process *process, const double *scales, const double *values, size_t count)
{
    double mean, variance, result = 0;
    double *whitened = process->work, *ones = process->work + count;
    use_scales(process, scales);
    factorise(process, &process->sample, count, exp(scales[process->coordinates]));
    memcpy(whitened, values, count * sizeof *values);
    whiten(&process->sample, count, whitened, ones, &mean, &variance);
    for (size_t i = 0; i < count; i++)
        result -= log(process->sample.lower[i * process->sample.stride + i]);
    for (size_t c = 0; c < process->coordinates; c++) {
        double off = (scales[c] - log(length_median)) / length_deviation;
        result -= off * off / 2;
    }
    double off = (scales[process->coordinates] - log(noise_median)) / noise_deviation;
    return result - off * off / 2 - 0.5 * (double)count * log(variance);
}

/* Evenly over the points: their order may mean something. */
static size_t take_sample(struct gaussian_process *process, const double *values, size_t count, double *taken)
{
    struct factor *sample = &process->sample;
    size_t size = count < sample->stride ? count : sample->stride;
    for (size_t i = 0; i < size; i++) {
        size_t from = i * count / size;
        taken[i] = values[from];
        for (size_t c = 0; c < process->coordinates; c++)
            sample->points[c * sample->stride + i] = process->all.points[c * process->all.stride + from];
    }
    return size;
}

/* Normally distributed (Box and Muller). */
static double normal(struct generator *generator)
{
    double u = ((double)(generator_next(generator) >> 11) + 0.5) * 0x1p-53;
    double v = (double)(generator_next(generator) >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* One scale by much or all of them by little. */
static void try_scales(struct gaussian_process *process, struct generator *generator)
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
    double taken[GAUSSIAN_PROCESS_SAMPLE];
    size_t size = take_sample(process, values, count, taken);
    double best = likelihood(process, process->scales, taken, size);
    for (size_t i = 0; i < steps; i++) {
        try_scales(process, generator);
        double now = likelihood(process, process->tried, taken, size);
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
    use_scales(process, process->scales);
    factorise(process, &process->all, count, exp(process->scales[process->coordinates]));
}

void gaussian_process_respond(struct gaussian_process *process, const double *values, size_t count,
                              struct response *response)
{
    memcpy(response->weights, values, count * sizeof *values);
    whiten(&process->all, count, response->weights, process->work, &response->mean, &response->variance);
    solve_backward(&process->all, count, response->weights);
    response->count = count;
}

void gaussian_process_distances(const struct gaussian_process *process, const double *coordinates, double *distances)
{
    measure(process, &process->all, coordinates, 1, 0, process->all.count, distances);
}

void gaussian_process_correlate(const struct gaussian_process *process, const double *coordinates,
                                double *correlations)
{
    gaussian_process_distances(process, coordinates, correlations);
    to_correlations(0, process->all.count, correlations);
}

void gaussian_process_correlate_near(const struct gaussian_process *process, const double *coordinates,
                                     const double *other, const double *distances, double *correlations)
{
    const struct factor *factor = &process->all;
    memcpy(correlations, distances, factor->count * sizeof *correlations);
    for (size_t c = 0; c < process->coordinates; c++) {
        if (coordinates[c] == other[c])
            continue;
        add_distances(process, factor, c, other[c], -process->inverse[c], 0, factor->count, correlations);
        add_distances(process, factor, c, coordinates[c], process->inverse[c], 0, factor->count, correlations);
    }
    to_correlations(0, factor->count, correlations);
}

double gaussian_process_variance_most(const struct gaussian_process *process, const double *correlations)
{
    double most = 0;
    for (size_t i = 0; i < process->all.count; i++)
        most = correlations[i] > most ? correlations[i] : most;
    return fmax(1 - most * most / (1 + process->all.noise), 0);
}

double response_mean(const struct response *response, const double *correlations)
{
    double mean = response->mean;
    for (size_t i = 0; i < response->count; i++)
        mean += response->weights[i] * correlations[i];
    return mean;
}

/* solve_forward of several places at once, a row of `work` a point, by two columns at a time. */
void gaussian_process_variances(struct gaussian_process *process, const double *const *correlations, size_t places,
                                double *variances)
{
    enum { BLOCK = GAUSSIAN_PROCESS_BLOCK };
    const struct factor *factor = &process->all;
    double *restrict work = process->work;
    double left[BLOCK];
    for (size_t b = 0; b < BLOCK; b++)
        left[b] = 1;
    for (size_t i = 0; i < factor->count; i++) {
        for (size_t b = 0; b < BLOCK; b++)
            work[i * BLOCK + b] = correlations[b < places ? b : 0][i];
    }
    size_t k = 0;
    for (; k + 2 <= factor->count; k += 2) {
        const double *first = factor->lower + k * factor->stride, *second = first + factor->stride;
        double one[BLOCK], other[BLOCK];
        for (size_t b = 0; b < BLOCK; b++) {
            one[b] = work[k * BLOCK + b] / first[k];
            other[b] = (work[(k + 1) * BLOCK + b] - first[k + 1] * one[b]) / second[k + 1];
            left[b] -= one[b] * one[b] + other[b] * other[b];
        }
        for (size_t i = k + 2; i < factor->count; i++) {
            for (size_t b = 0; b < BLOCK; b++)
                work[i * BLOCK + b] -= first[i] * one[b] + second[i] * other[b];
        }
    }
    for (size_t b = 0; k < factor->count && b < BLOCK; b++) {
        double last = work[k * BLOCK + b] / factor->lower[k * factor->stride + k];
        left[b] -= last * last;
    }
    for (size_t b = 0; b < places; b++)
        variances[b] = fmax(left[b], 0);
}
