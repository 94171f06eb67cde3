/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gaussian_process.h - a model of functions that are known at some points: their mean and variance anywhere else.
 *
 * C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press 2006: regression by
 * algorithm 2.1, the Matern covariance with nu = 5/2 (4.17) with a length scale for each coordinate (5.1), an unknown
 * constant mean (2.7), and the most likely scales (5.8, here with a log-normal prior) found by random steps, some at
 * a time: what was learnt is kept when points change.
 *
 * Several functions (a time, the chance of success) may share the points, and so the expensive factor. Points whose
 * values are not known yet lessen the variance around them and change no mean: these are the believed values of
 * D. Ginsbourger, R. Le Riche, L. Carraro, "Kriging is well-suited to parallelize optimization", 2010.
 */
#ifndef TUNE_SEARCH_GAUSSIAN_PROCESS_H
#define TUNE_SEARCH_GAUSSIAN_PROCESS_H

#include "tuner/search/generator.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    GAUSSIAN_PROCESS_SAMPLE = 80, /* the most points by which scales are learnt */
    GAUSSIAN_PROCESS_BLOCK = 8,   /* the points whose variances are computed together */
};

struct gaussian_process;

/* Of `coordinates` numbers the first `ordinal` have distances; the others are the same or not. At most `most` points.
 * NULL when out of memory. */
struct gaussian_process *gaussian_process_create(size_t coordinates, size_t ordinal, size_t most);
void gaussian_process_free(struct gaussian_process *process);

/* Length scales (for coordinates within 0..1) and the variance of noise, as a part of that of the function. */
void gaussian_process_set_scales(struct gaussian_process *process, const double *lengths, double noise);

/* Points are numbered from 0 to most - 1. */
void gaussian_process_set_point(struct gaussian_process *process, size_t number, const double *coordinates);

/* Improve the scales by `steps` random steps, by the values at the first `count` points or a sample of them. */
void gaussian_process_learn(struct gaussian_process *process, const double *values, size_t count, size_t steps,
                            struct generator *generator);

/* Prepare to predict from the first `count` points, at least 1. */
void gaussian_process_factor(struct gaussian_process *process, size_t count);

/* A function by its values. */
struct response {
    double mean, variance; /* before anything is known */
    double *weights;       /* room for one a point, the caller's */
    size_t count;
};

/* The function that has these values at the first `count` points, at least 1, of those factored. */
void gaussian_process_respond(struct gaussian_process *process, const double *values, size_t count,
                              struct response *response);

/* How a place is correlated with each of the points factored; of that the mean of a function there. */
void gaussian_process_correlate(const struct gaussian_process *process, const double *coordinates,
                                double *correlations);
double response_mean(const struct response *response, const double *correlations);

/* The same by the squared distances of another place, in length scales: it costs the less the fewer coordinates
 * differ. */
void gaussian_process_distances(const struct gaussian_process *process, const double *coordinates, double *distances);
void gaussian_process_correlate_near(const struct gaussian_process *process, const double *coordinates,
                                     const double *other, const double *distances, double *correlations);

/* What is left of a variance of 1 at most: with the nearest of the points factored as the only one. */
double gaussian_process_variance_most(const struct gaussian_process *process, const double *correlations);

/* What is left of a variance of 1 at each of at most GAUSSIAN_PROCESS_BLOCK places, from 0 to 1. */
void gaussian_process_variances(struct gaussian_process *process, const double *const *correlations, size_t places,
                                double *variances);

#endif
