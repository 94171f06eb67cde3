/* SPDX-License-Identifier: Apache-2.0 */
/*
 * covariance.h - the covariance matrix of a Gaussian process at a set of points, and its Cholesky factor.
 *
 * The kernel is Matern's with nu = 5/2, unit variance and one length scale per coordinate, plus noise on the diagonal
 * (C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press 2006, (4.17) and (5.1)).
 * An ordinal coordinate contributes its squared difference, a categorical one 1 where two points differ; both are
 * divided by the square of the length scale.
 *
 * Points are stored coordinate by coordinate and the factor column by column, so that the inner loops run along
 * points and vectorise.
 */
#ifndef TUNE_SEARCH_COVARIANCE_H
#define TUNE_SEARCH_COVARIANCE_H

#include <stdbool.h>
#include <stddef.h>

enum { COVARIANCE_BLOCK = 8 }; /* places whose variances are computed together */

struct covariance {
    size_t coordinates, ordinal; /* the first `ordinal` coordinates are ordinal, the others categorical */
    size_t capacity, count;      /* points there is room for; points factored */
    double *inverse_squares;     /* 1 / length^2, per coordinate */
    double *points, *lower;
    double noise;
};

/* False when out of memory; covariance_clear() is due in any case. */
bool covariance_create(struct covariance *covariance, size_t coordinates, size_t ordinal, size_t capacity);
void covariance_clear(struct covariance *covariance);

/* Point `number` is below the capacity. */
void covariance_set_point(struct covariance *covariance, size_t number, const double *coordinates);

/* Factor the matrix of the first `count` points, given the logarithms of the length scales. */
void covariance_factor(struct covariance *covariance, size_t count, const double *log_lengths, double noise);

/* The factor of one point more, the next one; by a row more, without the others' being computed again. At least one
 * is factored already. */
void covariance_append(struct covariance *covariance);

/* Half the logarithm of the determinant. */
double covariance_half_log_determinant(const struct covariance *covariance);

/* x := L^-1 x and x := L^-T x, with L the leading `count` rows and columns of the factor. */
void covariance_solve_forward(const struct covariance *covariance, size_t count, double *x);
void covariance_solve_backward(const struct covariance *covariance, size_t count, double *x);

/* Squared distances, in length scales, and correlations of a place with each point factored. */
void covariance_distances(const struct covariance *covariance, const double *place, double *distances);
void covariance_correlate(const struct covariance *covariance, const double *place, double *correlations);

/* The same correlations, from the distances of another place: only coordinates that differ cost time. */
void covariance_correlate_near(const struct covariance *covariance, const double *place, const double *other,
                               const double *distances, double *correlations);

/* What remains of a unit variance, from 0 to 1, at each of at most COVARIANCE_BLOCK places. `work` has room for
 * COVARIANCE_BLOCK numbers per point. */
void covariance_conditional_variances(const struct covariance *covariance, const double *const *correlations,
                                      size_t places, double *work, double *variances);

#endif
