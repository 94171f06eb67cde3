/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acquisition.h - how worthwhile a surrogate model expects the evaluation of a configuration to be.
 *
 * The acquisition is the logarithm of
 *     expected improvement * P(success)^reliability / seconds^haste,
 * each factor predicted by a Gaussian process over the same points. The exact value needs a variance that costs the
 * square of the number of points; a bound of it is nearly free. So proposals are sorted by their bounds, and exact
 * values are computed from the top down to where no bound beats the best value.
 */
#ifndef TUNE_SEARCH_ACQUISITION_H
#define TUNE_SEARCH_ACQUISITION_H

#include "tuner/search/gaussian_process.h"

struct acquisition {
    struct gaussian_process *process;              /* factored */
    struct posterior objective, success, duration; /* of the points' values; duration in logarithms of seconds */
    bool predicts_failures, predicts_durations;    /* else `success` and `duration` are ignored */
    double incumbent;                              /* best objective so far */
    double reliability, haste;                     /* exponents */
};

/* False when out of memory; acquisition_clear() is due in any case. */
bool acquisition_create(struct acquisition *acquisition, size_t points);
void acquisition_clear(struct acquisition *acquisition);

/* A configuration that might be asked for. */
struct proposal {
    size_t index;
    double *correlations; /* with the model's points; room is the caller's */
    double mean;          /* of the objective */
    double bound;         /* of the acquisition, from above */
    double offset;        /* what the duration adds to the acquisition */
};

/* Fill in mean, bound and offset, given the correlations. */
void acquisition_bound(const struct acquisition *acquisition, struct proposal *proposal);

/* The best of `count` proposals (which get sorted) if it beats *value, which it then replaces. */
bool acquisition_maximise(const struct acquisition *acquisition, struct proposal *proposals, size_t count,
                          double *value, size_t *index);

#endif
