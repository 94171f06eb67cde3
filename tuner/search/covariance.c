/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/covariance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pivot_least = 6e-6; /* keeps nearly singular matrices factorable */

bool covariance_create(struct covariance *covariance, size_t coordinates, size_t ordinal, size_t capacity)
{
    *covariance = (struct covariance){.coordinates = coordinates, .ordinal = ordinal, .capacity = capacity};
    covariance->inverse_squares = calloc(coordinates + 1, sizeof *covariance->inverse_squares);
    covariance->points = calloc(capacity * (coordinates + 1), sizeof *covariance->points);
    covariance->lower = calloc(capacity * capacity, sizeof *covariance->lower);
    return covariance->inverse_squares && covariance->points && covariance->lower;
}

void covariance_clear(struct covariance *covariance)
{
    free(covariance->inverse_squares);
    free(covariance->points);
    free(covariance->lower);
}

void covariance_set_point(struct covariance *covariance, size_t number, const double *coordinates)
{
    for (size_t c = 0; c < covariance->coordinates; c++)
        covariance->points[c * covariance->capacity + number] = coordinates[c];
}

/* exp(-x) to nine digits for small x, as 1 / (exp(x / 32))^32 by Taylor's series: unlike exp(), it vectorises. */
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

/* Adds one coordinate's contribution to the squared distances of points `first` to `end` from a place. */
static void add_distances(const struct covariance *covariance, size_t c, double own, double weight, size_t first,
                          size_t end, double *restrict distances)
{
    const double *points = covariance->points + c * covariance->capacity;
    if (c < covariance->ordinal) {
        for (size_t i = first; i < end; i++)
            distances[i] += (points[i] - own) * (points[i] - own) * weight;
    } else {
        for (size_t i = first; i < end; i++)
            distances[i] += points[i] != own ? weight : 0;
    }
}

/* Matern's kernel, of squared distances. */
static void to_correlations(size_t first, size_t end, double *restrict distances)
{
    for (size_t i = first; i < end; i++) {
        double r = sqrt(5 * (distances[i] > 0 ? distances[i] : 0));
        distances[i] = (1 + r + r * r * (1.0 / 3)) * decay(r);
    }
}

/* Squared distances of points `first` to `end` from a place whose coordinates are `place_stride` apart. */
static void measure(const struct covariance *covariance, const double *place, size_t place_stride, size_t first,
                    size_t end, double *restrict distances)
{
    for (size_t i = first; i < end; i++)
        distances[i] = 0;
    for (size_t c = 0; c < covariance->coordinates; c++)
        add_distances(covariance, c, place[c * place_stride], covariance->inverse_squares[c], first, end, distances);
}

/* Subtracts four columns' contributions from column k in one pass over it. */
static void subtract_four(double *restrict column, const double *restrict before, size_t stride, size_t k,
                          size_t count)
{
    const double *restrict a = before, *restrict b = a + stride, *restrict c = b + stride, *restrict d = c + stride;
    double by_a = a[k], by_b = b[k], by_c = c[k], by_d = d[k];
    for (size_t i = k; i < count; i++)
        column[i] -= by_a * a[i] + by_b * b[i] + by_c * c[i] + by_d * d[i];
}

static void subtract_one(double *restrict column, const double *restrict before, size_t k, size_t count)
{
    double by = before[k];
    for (size_t i = k; i < count; i++)
        column[i] -= by * before[i];
}

/* Left-looking Cholesky: each column is filled with correlations, then reduced by the columns before it. */
void covariance_factor(struct covariance *covariance, size_t count, const double *log_lengths, double noise)
{
    size_t stride = covariance->capacity;
    for (size_t c = 0; c < covariance->coordinates; c++)
        covariance->inverse_squares[c] = exp(-2 * log_lengths[c]);
    covariance->count = count;
    covariance->noise = noise;
    for (size_t k = 0; k < count; k++) {
        double *restrict column = covariance->lower + k * stride;
        measure(covariance, covariance->points + k, stride, k, count, column);
        to_correlations(k, count, column);
        column[k] += noise;
        size_t j = 0;
        for (; j + 4 <= k; j += 4)
            subtract_four(column, covariance->lower + j * stride, stride, k, count);
        for (; j < k; j++)
            subtract_one(column, covariance->lower + j * stride, k, count);
        double scale = 1 / sqrt(fmax(column[k], pivot_least));
        column[k] = 1 / scale;
        for (size_t i = k + 1; i < count; i++)
            column[i] *= scale;
    }
}

/* The row is what solves L x = its correlations with the points before; `x` is where the next column will be. */
void covariance_append(struct covariance *covariance)
{
    size_t stride = covariance->capacity, last = covariance->count;
    double *x = covariance->lower + last * stride, left = 1 + covariance->noise;
    measure(covariance, covariance->points + last, stride, 0, last, x);
    to_correlations(0, last, x);
    covariance_solve_forward(covariance, last, x);
    for (size_t k = 0; k < last; k++) {
        covariance->lower[k * stride + last] = x[k];
        left -= x[k] * x[k];
    }
    x[last] = sqrt(fmax(left, pivot_least));
    covariance->count++;
}

double covariance_half_log_determinant(const struct covariance *covariance)
{
    double sum = 0;
    for (size_t i = 0; i < covariance->count; i++)
        sum += log(covariance->lower[i * covariance->capacity + i]);
    return sum;
}

void covariance_solve_forward(const struct covariance *covariance, size_t count, double *restrict x)
{
    for (size_t k = 0; k < count; k++) {
        const double *restrict column = covariance->lower + k * covariance->capacity;
        x[k] /= column[k];
        for (size_t i = k + 1; i < count; i++)
            x[i] -= column[i] * x[k];
    }
}

void covariance_solve_backward(const struct covariance *covariance, size_t count, double *x)
{
    for (size_t k = count; k-- > 0;) {
        const double *column = covariance->lower + k * covariance->capacity;
        for (size_t i = k + 1; i < count; i++)
            x[k] -= column[i] * x[i];
        x[k] /= column[k];
    }
}

void covariance_distances(const struct covariance *covariance, const double *place, double *distances)
{
    measure(covariance, place, 1, 0, covariance->count, distances);
}

void covariance_correlate(const struct covariance *covariance, const double *place, double *correlations)
{
    covariance_distances(covariance, place, correlations);
    to_correlations(0, covariance->count, correlations);
}

void covariance_correlate_near(const struct covariance *covariance, const double *place, const double *other,
                               const double *distances, double *correlations)
{
    size_t count = covariance->count;
    memcpy(correlations, distances, count * sizeof *correlations);
    for (size_t c = 0; c < covariance->coordinates; c++) {
        if (place[c] == other[c])
            continue;
        add_distances(covariance, c, other[c], -covariance->inverse_squares[c], 0, count, correlations);
        add_distances(covariance, c, place[c], covariance->inverse_squares[c], 0, count, correlations);
    }
    to_correlations(0, count, correlations);
}

/* 1 - |L^-1 k|^2 for several vectors k of correlations at once: forward substitution, two columns at a time, with a
 * row of `work` for each point. */
void covariance_conditional_variances(const struct covariance *covariance, const double *const *correlations,
                                      size_t places, double *restrict work, double *variances)
{
    enum { BLOCK = COVARIANCE_BLOCK };
    double left[BLOCK];
    for (size_t b = 0; b < BLOCK; b++)
        left[b] = 1;
    for (size_t i = 0; i < covariance->count; i++) {
        for (size_t b = 0; b < BLOCK; b++)
            work[i * BLOCK + b] = correlations[b < places ? b : 0][i];
    }
    size_t k = 0;
    for (; k + 2 <= covariance->count; k += 2) {
        const double *first = covariance->lower + k * covariance->capacity, *second = first + covariance->capacity;
        double one[BLOCK], other[BLOCK];
        for (size_t b = 0; b < BLOCK; b++) {
            one[b] = work[k * BLOCK + b] / first[k];
            other[b] = (work[(k + 1) * BLOCK + b] - first[k + 1] * one[b]) / second[k + 1];
            left[b] -= one[b] * one[b] + other[b] * other[b];
        }
        for (size_t i = k + 2; i < covariance->count; i++) {
            for (size_t b = 0; b < BLOCK; b++)
                work[i * BLOCK + b] -= first[i] * one[b] + second[i] * other[b];
        }
    }
    for (size_t b = 0; k < covariance->count && b < BLOCK; b++) {
        double last = work[k * BLOCK + b] / covariance->lower[k * covariance->capacity + k];
        left[b] -= last * last;
    }
    for (size_t b = 0; b < places; b++)
        variances[b] = fmax(left[b], 0);
}
