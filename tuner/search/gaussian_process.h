/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gaussian_process.h - Gaussian process regression: the mean and variance of functions known at some points.
 *
 * After C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine Learning", MIT Press 2006: posterior by
 * algorithm 2.1, the covariance of covariance.h, an unknown constant mean (2.7), and hyperparameters (length scales
 * and noise) that maximise the marginal likelihood (5.8) times a log-normal prior. They are improved by a few random
 * steps at a time, so that what was learnt carries over as points change.
 *
 * Several functions (run time, probability of success) share the points and with them the expensive factor. Points
 * whose values are still pending reduce the variance around them without affecting any mean, like the "kriging
 * believer" of D. Ginsbourger, R. Le Riche, L. Carraro, "Kriging is well-suited to parallelize optimization", 2010.
 */
#ifndef TUNE_SEARCH_GAUSSIAN_PROCESS_H
#define TUNE_SEARCH_GAUSSIAN_PROCESS_H

#include "tuner/search/covariance.h"
#include "tuner/search/generator.h"

enum {
    GAUSSIAN_PROCESS_SAMPLE = 80,              /* points at most that hyperparameters are learnt from by default */
    GAUSSIAN_PROCESS_BLOCK = COVARIANCE_BLOCK, /* places whose variances are computed together */
};

struct gaussian_process;

/* For at most `capacity` points; the first `ordinal` of their `coordinates` are ordinal, the others categorical. NULL
 * when out of memory. */
struct gaussian_process *gaussian_process_create(size_t coordinates, size_t ordinal, size_t capacity);
void gaussian_process_free(struct gaussian_process *process);

/* The same, where scales are learnt from at most `sample` points, and the prior of a length is around `length`: its
 * logarithm deviates by `deviation`. */
struct gaussian_process *gaussian_process_create_with(size_t coordinates, size_t ordinal, size_t capacity,
                                                      size_t sample, double length, double deviation);

/* Length scales (of coordinates within 0..1), and the variance of the noise relative to the function's. */
void gaussian_process_set_scales(struct gaussian_process *process, const double *lengths, double noise);

/* Take over what another process of as many coordinates has learnt. */
void gaussian_process_copy_scales(struct gaussian_process *to, const struct gaussian_process *from);

/* Point `number` is below the capacity. */
void gaussian_process_set_point(struct gaussian_process *process, size_t number, const double *coordinates);

/* Take `steps` random steps towards likelier hyperparameters, given the values at the first `count` points. */
void gaussian_process_learn(struct gaussian_process *process, const double *values, size_t count, size_t steps,
                            struct generator *generator);

/* Factor the covariance of the first `count` points, at least 1, for the predictions below. */
void gaussian_process_factor(struct gaussian_process *process, size_t count);

/* The next point is factored as well, at a fraction of that; what is conditioned on points before stays valid. */
void gaussian_process_append(struct gaussian_process *process);

/* A function, given its values at some points. */
struct posterior {
    double mean, variance; /* prior, at their maximum likelihood */
    double *weights;       /* one per point; the caller's */
    size_t count;
};

/* Condition on values at the first `count` points, at least 1, of those factored. */
void gaussian_process_condition(struct gaussian_process *process, const double *values, size_t count,
                                struct posterior *posterior);

/* Correlations of a place with each point factored, and the posterior mean that follows from them. */
void gaussian_process_correlate(const struct gaussian_process *process, const double *place, double *correlations);
double posterior_mean(const struct posterior *posterior, const double *correlations);

/* The same correlations from the squared distances of another place; cheap where few coordinates differ. */
void gaussian_process_distances(const struct gaussian_process *process, const double *place, double *distances);
void gaussian_process_correlate_near(const struct gaussian_process *process, const double *place, const double *other,
                                     const double *distances, double *correlations);

/* An upper bound of the posterior variance, relative to the prior's: conditioned on the nearest point alone. */
double gaussian_process_variance_bound(const struct gaussian_process *process, const double *correlations);

/* The posterior variance, relative to the prior's, at up to GAUSSIAN_PROCESS_BLOCK places. */
void gaussian_process_variances(struct gaussian_process *process, const double *const *correlations, size_t places,
                                double *variances);

#endif
