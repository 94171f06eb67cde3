/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regression.h - the results of a search, and Gaussian processes fitted to them: to those of training_set.h, by their
 * coordinates.h.
 */
#ifndef TUNE_SEARCH_REGRESSION_H
#define TUNE_SEARCH_REGRESSION_H

#include "tuner/search/coordinates.h"
#include "tuner/search/gaussian_process.h"
#include "tuner/search/training_set.h"

struct regression {
    struct explorer explorer;
    struct training_set training;
    struct coordinates coordinates;
    size_t points;  /* of a process: the results it is fitted to, and evaluations under way */
    double *place;  /* room for the coordinates of a configuration */
    double *values; /* room for values of the points */
};

/* `limit` and `elite_share` are those of the training set, the design is the explorer's. False when out of memory;
 * regression_clear() is due in any case. Not to be moved. */
bool regression_create(struct regression *regression, const struct strategy_setup *setup, enum design_kind design,
                       size_t design_size, size_t limit, double elite_share);
void regression_clear(struct regression *regression);

/* A process for its points, not fitted yet. NULL when out of memory. */
struct gaussian_process *regression_process(const struct regression *regression);

/* As explorer_tell, and the result is learnt from. */
const struct trial *regression_tell(struct regression *regression, const struct observation *observation);

/*
 * Fit a process to the objectives, those worse than the quantile `cut` clamped to it: choose its points, improve its
 * scales by some steps, factor it and condition `objective`. Returns the best value; there must be a valid result.
 */
double regression_fit(struct regression *regression, struct gaussian_process *process, double cut,
                      struct posterior *objective);

#endif
